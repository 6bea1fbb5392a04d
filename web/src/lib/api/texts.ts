import { transport } from "./transport";

/** What a game says in another language, by its English: kept by the browser, asked for once. */
export const gameTexts = (game: string, language: string): Promise<Record<string, string>> =>
  texts(`/api/catalogue/${encodeURIComponent(game)}/text/${language}`);

/** The same of what is said outside of a game: why a request is refused. */
export const commonTexts = (language: string): Promise<Record<string, string>> =>
  texts(`/api/catalogue/text/${language}`);

async function texts(where: string): Promise<Record<string, string>> {
  try {
    const answer = await transport().ask(where, {});
    return answer.ok ? ((await answer.json()) as Record<string, string>) : {};
  } catch {
    return {};
  }
}
