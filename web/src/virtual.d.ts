declare module "virtual:symbols" {
  /** The inside of an SVG for each kind of troops; colours are `currentColor` and `var(--box)`. */
  export const SYMBOLS: Record<string, string>;
}
