/** What every part of the table shares. */

import { getContext, setContext } from "svelte";
import type { Coach } from "../lessons/coach.svelte";
import type { Camera } from "./camera.svelte";
import type { Interaction } from "./interaction.svelte";
import type { Screen } from "./screen.svelte";
import type { TableStore } from "./table.svelte";

export interface TableContext {
  store: TableStore;
  pointer: Interaction;
  camera: Camera;
  screen: Screen;
  coach: Coach;
}

const KEY = Symbol("table");

export function shareTable(context: TableContext): TableContext {
  return setContext(KEY, context);
}

export function tableContext(): TableContext {
  return getContext<TableContext>(KEY);
}
