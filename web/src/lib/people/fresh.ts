/** What others do shows by itself: asks anew while the page is looked at, and when somebody comes back to it. */
export function keepFresh(load: () => void, seconds = 20): () => void {
  const look = (): void => {
    if (document.visibilityState === "visible") load();
  };
  const timer = setInterval(look, seconds * 1000);
  document.addEventListener("visibilitychange", look);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
