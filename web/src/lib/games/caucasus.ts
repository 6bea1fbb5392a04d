/** The Caucasus Campaign: everything lies open. */

import type { Presentation } from "./presentation";

const presentation: Presentation = { open: true };

export default presentation;
