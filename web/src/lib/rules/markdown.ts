/**
 * Markdown to a tree, never to HTML text: what is shown is built node by node, so nothing in a rulebook
 * can become markup. Knows headings, paragraphs, lists, tables, bold, emphasis, code and rule numbers.
 */

export type Inline =
  { kind: "text"; text: string } | { kind: "strong" | "em" | "code"; text: string } | { kind: "rule"; id: string };

export type Block =
  | { kind: "heading"; level: number; text: Inline[] }
  | { kind: "paragraph"; text: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] };

const MARKS = /\*\*(.+?)\*\*|`([^`]+)`|(?<![\w*])[*_](?!\s)([^*_]+?)(?<!\s)[*_](?![\w*])/g;
/** What may be the number of a rule: 9.52a, 16.3, 8.8.3a, S1.3, A43, M10, E5.3. */
const NUMBER = /(?<![\w.,])(?:S?\d{1,2}(?:\.\d{1,3}){1,2}[a-z]?|[AME]\d{1,2}(?:\.\d+[a-z]?)?)(?![\w%]|\.\d)/g;

function withRules(text: string, known: (id: string) => boolean): Inline[] {
  const out: Inline[] = [];
  let last = 0;
  for (const match of text.matchAll(NUMBER)) {
    if (!known(match[0])) continue;
    if (match.index > last) out.push({ kind: "text", text: text.slice(last, match.index) });
    out.push({ kind: "rule", id: match[0] });
    last = match.index + match[0].length;
  }
  if (last < text.length) out.push({ kind: "text", text: text.slice(last) });
  return out;
}

/** A line of text with its marks; numbers that `known` accepts become links to rules. */
export function inline(text: string, known: (id: string) => boolean = () => false): Inline[] {
  const out: Inline[] = [];
  let last = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > last) out.push(...withRules(text.slice(last, match.index), known));
    const [, strong, code, em] = match;
    if (strong !== undefined) out.push({ kind: "strong", text: strong });
    else if (code !== undefined) out.push({ kind: "code", text: code });
    else if (em !== undefined) out.push({ kind: "em", text: em });
    last = match.index + match[0].length;
  }
  if (last < text.length) out.push(...withRules(text.slice(last), known));
  return out;
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\||\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^\s*(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const DIVIDER = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;

export function parse(source: string, known: (id: string) => boolean = () => false): Block[] {
  const blocks: Block[] = [];
  const lines = source.split(/\r?\n/);
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length) blocks.push({ kind: "paragraph", text: inline(paragraph.join(" "), known) });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i += 1) {
    const line = lines[i] ?? "";
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (!line.trim()) {
      flush();
    } else if (heading) {
      flush();
      blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, text: inline(heading[2] ?? "") });
    } else if (line.trim().startsWith("|") && DIVIDER.test(lines[i + 1] ?? "")) {
      flush();
      const head = cells(line).map((cell) => inline(cell));
      const rows: Inline[][][] = [];
      for (i += 2; (lines[i] ?? "").trim().startsWith("|"); i += 1) {
        rows.push(cells(lines[i] ?? "").map((cell) => inline(cell, known)));
      }
      i -= 1;
      blocks.push({ kind: "table", head, rows });
    } else if (item) {
      flush();
      const ordered = item[1] !== undefined;
      const previous = blocks.at(-1);
      const text = inline(item[2] ?? "", known);
      const follows = previous?.kind === "list" && previous.ordered === ordered && (lines[i - 1] ?? "").trim() !== "";
      if (follows) previous.items.push(text);
      else blocks.push({ kind: "list", ordered, items: [text] });
    } else {
      paragraph.push(line.trim());
    }
  }
  flush();
  return blocks;
}

export function plain(parts: readonly Inline[]): string {
  return parts.map((part) => (part.kind === "rule" ? part.id : part.text)).join("");
}
