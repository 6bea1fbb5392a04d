/** Pyodide with the packages of the application, as `make offline` lays them beside the page. */

/** What is used here of Python's objects in JavaScript. */
export interface Pyodide {
  FS: {
    mkdirTree: (path: string) => void;
    writeFile: (path: string, data: Uint8Array) => void;
    readFile: (path: string) => Uint8Array;
    analyzePath: (path: string) => { exists: boolean };
  };
  unpackArchive: (packed: ArrayBuffer, format: string, options: { extractDir: string }) => void;
  runPython: (source: string) => unknown;
  pyimport: (module: string) => Record<string, unknown>;
}

interface Loader {
  loadPyodide: (options: { indexURL: string }) => Promise<Pyodide>;
}

const PACKAGES = "/packages";

export async function python(base: string): Promise<Pyodide> {
  const packages = fetch(`${base}packages.zip`);
  const { loadPyodide } = (await import(/* @vite-ignore */ `${base}pyodide.mjs`)) as Loader;
  const py = await loadPyodide({ indexURL: base });
  const packed = await packages;
  if (!packed.ok) throw new Error(`packages.zip: ${packed.status}`);
  py.unpackArchive(await packed.arrayBuffer(), "zip", { extractDir: PACKAGES });
  py.runPython(`import sys; sys.path.append("${PACKAGES}")`);
  return py;
}
