/** The icons of the lobby that the table has no use for; beside those of `ui/icons`. */
import { ICONS as COMMON } from "../ui/icons";

export const ICONS = {
  ...COMMON,
  check: ["M3.5 9.5l3.6 3.6L14.5 5"],
  copy: ["M7 6.5h7v8.5H7zM11 6.5V3H4v8.5h3"],
  dots: ["M4 9h.01M9 9h.01M14 9h.01"],
  exit: ["M8 3.5H4v11h4M8 9h7M12.3 6.2L15 9l-2.7 2.8"],
  out: ["M7 4H4v10h10v-3M10 3.5h4.5V8M14.5 3.5L8.5 9.5"],
  sliders: ["M3 5.5h6M13 5.5h2M11 3.8v3.4M3 12.5h2M9 12.5h6M7 10.8v3.4"],
  upload: ["M9 11.5v-8M5.5 6.5L9 3l3.5 3.5M3.5 15h11"],
} as const;

export type IconName = keyof typeof ICONS;
