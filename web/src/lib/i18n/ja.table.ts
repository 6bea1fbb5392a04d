/** The table in Japanese, by its English text. */
const table: Readonly<Record<string, string>> = {};

export default table;
