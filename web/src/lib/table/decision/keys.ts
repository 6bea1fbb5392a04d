/** The keys of the table. */

import type { TableContext } from "../context";
import { ruleDesk } from "../../ui/rules.svelte";

export interface KeyActions {
  whole: () => void;
  next: (way: 1 | -1) => void;
  step: (way: 1 | -1) => void;
}

const PRESSED = "button, summary, [role=button]";

/** What was last clicked: it has the focus, but nobody went there with the keyboard. */
let clicked: Element | null = null;

/** Remembers a click: Enter then does not press the same button again, it takes the decision. */
export function pointAt(event: PointerEvent): void {
  clicked = event.target instanceof Element ? event.target.closest(PRESSED) : null;
}

/** Whether a key belongs to a field, or to a button that is pressed with it. */
function elsewhere(event: KeyboardEvent): boolean {
  const at = event.target;
  if (!(at instanceof HTMLElement)) return false;
  if (at instanceof HTMLInputElement && at.type === "checkbox") return event.key === " ";
  if (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)) return true;
  if (event.key === "Enter" && clicked && at.closest(PRESSED) === clicked) return false;
  // In a list of alternatives Space chooses and Enter takes what is chosen.
  if (event.key === "Enter" && at.closest("[data-enter]")) return false;
  const presses = event.key === "Enter" || event.key === " ";
  return presses && at.closest(`a, [role=slider], ${PRESSED}`) !== null;
}

/** Deals with a key; true if it meant something. */
export function pressKey(
  event: KeyboardEvent,
  { store, pointer, camera, screen, sketch }: TableContext,
  act: KeyActions,
): boolean {
  if (event.key === "Tab") clicked = null;
  if (event.ctrlKey || event.metaKey || event.altKey || elsewhere(event)) return false;
  if (store.animation.skip()) return true;
  const key = event.key;
  // The keyboard goes to the map: a button that it came from is not pressed from there.
  const from = document.activeElement;
  if (/^(Arrow|[nN]$)/.test(key) && from instanceof HTMLElement && from.matches("button, [role=button]")) from.blur();
  if (key.startsWith("Arrow")) {
    const { x, y, width, height } = camera.free;
    const hex = pointer.walk(key, camera.sheet({ x: x + width / 2, y: y + height / 2 }));
    const at = hex ? store.grid?.hex(hex) : undefined;
    if (at) camera.reveal(at);
    return true;
  }
  if (/^[1-9]$/.test(key)) {
    document.querySelector<HTMLElement>(`.decision [data-digit="${key}"]`)?.click();
    return true;
  }
  const tool = store.tools.find((one) => one.key === key.toLowerCase());
  if (tool) {
    screen.toggleOverlay(tool.id);
    void store.needOverlays();
    return true;
  }
  switch (key) {
    case "Enter":
    case " ":
      if (sketch.pen && pointer.cursor) sketch.press(pointer.cursor);
      else enter(store, pointer, camera);
      return true;
    case "Escape":
      if (!sketch.back()) escape(store, pointer, screen);
      return true;
    case "u":
      void pointer.undo();
      return true;
    case "n":
      act.next(1);
      return true;
    case "N":
      act.next(-1);
      return true;
    case "+":
    case "=":
      camera.in();
      return true;
    case "-":
      camera.out();
      return true;
    case "0":
      act.whole();
      return true;
    case ",":
      act.step(-1);
      return true;
    case ".":
      act.step(1);
      return true;
    case "l":
      if (!store.presentation.sights) return false;
      store.thread.tie(pointer.cursor ?? pointer.hoverHex);
      return true;
    case "i":
      // Asked for, and asked again: done.
      document.querySelector<HTMLElement>(".decision :is([data-hint], [data-follow])")?.click();
      return true;
    case "a":
      if (!lookUp()) explain(pointer, screen);
      return true;
    case "r":
      sketch.take(sketch.pen === "ruler" ? null : "ruler");
      return true;
    case "p":
      sketch.take(sketch.pen ? null : "arrow");
      return true;
    case "k":
      screen.legend = screen.legend ? null : "map";
      return true;
    case "b":
      screen.briefing = !screen.briefing;
      return true;
    case "h":
      screen.hideCounters = !screen.hideCounters;
      return true;
    case "g":
      screen.toggleNumbers();
      return true;
    case "/":
      ruleDesk.open(null);
      return true;
    case "?":
      screen.keys = !screen.keys;
      return true;
    default:
      return false;
  }
}

function enter(store: TableContext["store"], pointer: TableContext["pointer"], camera: TableContext["camera"]): void {
  if (store.curtain) return;
  if (pointer.armed) return void pointer.commit();
  const hex = pointer.cursor ? store.grid?.hex(pointer.cursor) : undefined;
  if (hex && pointer.cursor) return void pointer.enter(camera.screen(hex));
  const { main } = pointer.offer;
  if (main && store.mine && !store.busy) void pointer.take(main);
}

/** A line of the log has the keys: the first word of the rules in it is looked up. */
function lookUp(): boolean {
  const term = document.activeElement?.closest(".ln")?.querySelector<HTMLElement>("[data-term]");
  term?.click();
  return !!term;
}

/** What is under the keys or under the pointer is told; if that is nothing, the next press on the map asks. */
function explain(pointer: TableContext["pointer"], screen: TableContext["screen"]): void {
  const hex = pointer.cursor ?? pointer.hoverHex;
  if (hex === null && pointer.hoverUnit === null) screen.looking = !screen.looking;
  else screen.tell(hex, pointer.cursor ? null : pointer.hoverUnit);
}

function escape(store: TableContext["store"], pointer: TableContext["pointer"], screen: TableContext["screen"]): void {
  if (screen.keys) screen.keys = false;
  else if (screen.briefing) screen.briefing = false;
  else if (screen.looking) screen.looking = false;
  else if (screen.about) screen.about = null;
  else if (screen.legend) screen.legend = null;
  else if (screen.menu) screen.menu = false;
  else if (ruleDesk.opened) ruleDesk.close();
  else if (screen.box) screen.box = null;
  else if (store.past) void store.look(null);
  else if (store.thread.from) store.thread.tie(null);
  else if (pointer.cursor && !pointer.armed && !pointer.picking && !pointer.drafted.length) pointer.cursor = null;
  else void pointer.back();
}
