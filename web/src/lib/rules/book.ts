/** A rulebook as the server sends it, with a search that puts numbers first, then titles, then texts. */

export interface Rule {
  id: string;
  title: string;
  text: string;
  /** What stands below it, tables above all, as Markdown. */
  after?: string;
}

export interface Chapter {
  id: string;
  title: string;
  rules: Rule[];
}

export interface Appendix {
  title: string;
  text: string;
}

export interface Rulebook {
  /** The language of its text. */
  language: string;
  game?: string;
  title?: string;
  preface?: string;
  chapters: Chapter[];
  appendices: Appendix[];
  /** The worked examples that have a diagram. */
  diagrams?: string[];
}

export interface Hit {
  rule: Rule;
  chapter: Chapter;
  score: number;
}

/** Folds case and accents, so that "schutzen" finds "Schützen". */
export function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "") // the accents of Latin letters: those of kana make other syllables
    .normalize("NFC")
    .toLowerCase();
}

/** All numbers that lead somewhere: those of the rules, and those above them (14.2 for 14.2a, 8.8 for 8.8.3a). */
export function ids(book: Rulebook): Set<string> {
  const out = new Set<string>();
  for (const { id } of book.chapters.flatMap((chapter) => chapter.rules)) {
    out.add(id);
    for (let above = id.replace(/[a-z]$/, ""); above.includes("."); above = above.slice(0, above.lastIndexOf(".")))
      out.add(above);
  }
  return out;
}

/** The rule of that number; of 9.52 the first of 9.52a …; of a chapter its first rule. */
export function locate(book: Rulebook, id: string): { chapter: Chapter; rule: Rule } | null {
  let best: { chapter: Chapter; rule: Rule } | null = null;
  for (const chapter of book.chapters) {
    for (const rule of chapter.rules) {
      if (rule.id === id) return { chapter, rule };
      const below = rule.id.startsWith(id) && !/^\d/.test(rule.id.slice(id.length));
      if (!best && (below || chapter.id === id)) best = { chapter, rule };
    }
  }
  return best;
}

/** Rules that hold all words of a query, the best first. */
export function search(book: Rulebook, query: string, limit = 60): Hit[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const whole = words.join(" ");
  const hits: Hit[] = [];
  for (const chapter of book.chapters) {
    const heading = fold(chapter.title);
    for (const rule of chapter.rules) {
      const id = fold(rule.id);
      const title = fold(rule.title);
      const text = fold(`${rule.text} ${rule.after ?? ""}`);
      if (
        !words.every(
          (word) => id.startsWith(word) || title.includes(word) || text.includes(word) || heading.includes(word),
        )
      )
        continue;
      let score = 0;
      if (id === whole) score += 100;
      else if (id.startsWith(whole)) score += 60;
      if (title.includes(whole)) score += 30;
      if (heading.includes(whole)) score += 5;
      if (text.includes(whole)) score += 10;
      for (const word of words) {
        if (title.includes(word)) score += 6;
        if (new RegExp(`(?:^|\\W)${word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`).test(text)) score += 2;
      }
      hits.push({ rule, chapter, score });
    }
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, limit);
}

export interface Piece {
  text: string;
  hit: boolean;
}

/** A text cut where the words of a query stand, for marking them. */
export function pieces(text: string, query: string): Piece[] {
  const words = fold(query)
    .split(/\s+/)
    .filter((word) => word.length > 1 || word > "\u3000"); // one letter says nothing, one character a whole word
  if (!words.length) return [{ text, hit: false }];
  // Folding letter by letter keeps the places: each letter of the text has one entry.
  const letters = [...text];
  const folded = letters.map((letter) => fold(letter).charAt(0) || " ");
  const flat = folded.join("");
  const marked = new Array<boolean>(letters.length).fill(false);
  for (const word of words) {
    for (let at = flat.indexOf(word); at >= 0; at = flat.indexOf(word, at + 1)) marked.fill(true, at, at + word.length);
  }
  const out: Piece[] = [];
  for (const [i, letter] of letters.entries()) {
    const hit = marked[i] ?? false;
    const last = out.at(-1);
    if (last && last.hit === hit) last.text += letter;
    else out.push({ text: letter, hit });
  }
  return out;
}
