/** A group of alternatives as the keyboard knows it: one stop for Tab, arrows move and choose. */

const NEXT: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** For `{@attach radios}` on the element with role="radiogroup" or "tablist". */
export function radios(group: HTMLElement): () => void {
  const all = (): HTMLElement[] => [...group.querySelectorAll<HTMLElement>("[role=radio], [role=tab]")];
  const chosen = (one: HTMLElement): boolean =>
    one.getAttribute("aria-checked") === "true" || one.getAttribute("aria-selected") === "true";
  const stop = (): void => {
    const here = all();
    const at = Math.max(0, here.findIndex(chosen));
    here.forEach((one, i) => (one.tabIndex = i === at ? 0 : -1));
  };
  const key = (event: KeyboardEvent): void => {
    const here = all();
    const at = here.indexOf(document.activeElement as HTMLElement);
    const way = NEXT[event.key];
    const to =
      way !== undefined
        ? (at + way + here.length) % here.length
        : event.key === "Home"
          ? 0
          : event.key === "End"
            ? here.length - 1
            : -1;
    if (at < 0 || to < 0) return;
    event.preventDefault();
    event.stopPropagation();
    here[to]?.focus();
    here[to]?.click();
  };
  const watch = new MutationObserver(stop);
  watch.observe(group, { subtree: true, childList: true, attributeFilter: ["aria-checked", "aria-selected"] });
  group.addEventListener("keydown", key);
  stop();
  return () => {
    watch.disconnect();
    group.removeEventListener("keydown", key);
  };
}
