/** What every part of the table shares. */

import { getContext, setContext } from "svelte";
import type { Coach } from "../lessons/coach.svelte";
import type { Camera } from "./map/camera.svelte";
import type { Interaction } from "./interaction.svelte";
import type { Screen } from "./map/screen.svelte";
import type { Sketch } from "./layers/sketch.svelte";
import type { TableStore } from "./table.svelte";

export interface TableContext {
  store: TableStore;
  pointer: Interaction;
  camera: Camera;
  screen: Screen;
  coach: Coach;
  sketch: Sketch;
}

const KEY = Symbol("table");

export function shareTable(context: TableContext): TableContext {
  return setContext(KEY, context);
}

/** What counters and markers need of it, where there is no table: a diagram shares this much alone. */
export interface DiagramContext {
  store: Pick<TableStore, "detail" | "presentation" | "scene">;
  pointer: { targets: { units: ReadonlySet<string> } };
}

export function shareDiagram(context: DiagramContext): void {
  setContext(KEY, context);
}

export function tableContext(): TableContext {
  return getContext<TableContext>(KEY);
}
