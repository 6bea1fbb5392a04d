/** What a game says in another language, by its English: kept by the browser, asked for once. */
export async function gameTexts(game: string, language: string): Promise<Record<string, string>> {
  try {
    const answer = await fetch(`/api/catalogue/${encodeURIComponent(game)}/text/${language}`);
    return answer.ok ? ((await answer.json()) as Record<string, string>) : {};
  } catch {
    return {};
  }
}
