/** Dates and lengths of games in Japanese: the games tell them in English. */

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const MONTH = `(${MONTHS.join("|")}|${MONTHS.map((month) => month.slice(0, 3)).join("|")})`;
const number = (month: string): number => MONTHS.findIndex((one) => one.startsWith(month)) + 1;
const DAYS = new RegExp(`\\b(\\d{1,2})(?:[-–](\\d{1,2}))? ${MONTH}(?: (\\d{4}))?\\b`, "g");
const YEAR_MONTH = new RegExp(`\\b(\\d{4}) ${MONTH}\\b`, "g");
const MONTH_YEAR = new RegExp(`\\b${MONTH} (\\d{4})\\b`, "g");

/** The dates in a text, as a Japanese reader writes them: "25-31 July 1942" is "1942年7月25〜31日". */
export function japaneseDates(text: string): string {
  return text
    .replace(DAYS, (_, first: string, last: string | undefined, month: string, year: string | undefined) => {
      const days = last ? `${first}〜${last}日` : `${first}日`;
      return `${year ? `${year}年` : ""}${number(month)}月${days}`;
    })
    .replace(YEAR_MONTH, (_, year: string, month: string) => `${year}年${number(month)}月`)
    .replace(MONTH_YEAR, (_, month: string, year: string) => `${year}年${number(month)}月`);
}

const UNITS: Record<string, string> = { month: "か月", turn: "ターン", day: "日", week: "週", year: "年" };

/** "3 months" or "2–20 months" in Japanese; anything else as it is. */
export function japaneseLength(text: string): string {
  const found = /^([\d–-]+) (?:game )?(\w+?)s?$/.exec(text);
  const unit = found && UNITS[found[2] ?? ""];
  return unit ? `${found[1]?.replace(/[–-]/, "〜")}${unit}` : text;
}

const COMPASS: Record<string, string> = {
  N: "北",
  NE: "北東",
  E: "東",
  SE: "南東",
  S: "南",
  SW: "南西",
  W: "西",
  NW: "北西",
};

/** A hex that is called by a place nearby: "Mechili SE1" is "メキリ南東1". */
export function japaneseNear(english: string, called: (place: string) => string | undefined): string | undefined {
  const found = /^(.+) ([NS]?[EW]?)(\d)$/.exec(english);
  const place = found && called(found[1] ?? "");
  const way = found && COMPASS[found[2] ?? ""];
  return place && way ? `${place}${way}${found[3]}` : undefined;
}
