/** The files of the desk, kept in IndexedDB: a page that is loaded again goes on with them. */

const NAME = "sandtable";
const FILES = "files";

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((done, fail) => {
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error ?? new Error("IndexedDB cannot be used"));
  });
}

async function open(): Promise<IDBDatabase> {
  const asked = indexedDB.open(NAME, 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore(FILES);
  return request(asked);
}

export class Keeping {
  private constructor(private readonly database: IDBDatabase) {}

  static async begin(): Promise<Keeping> {
    return new Keeping(await open());
  }

  async files(): Promise<Map<string, Uint8Array>> {
    const store = this.database.transaction(FILES).objectStore(FILES);
    const [names, all] = await Promise.all([request(store.getAllKeys()), request(store.getAll())]);
    return new Map(names.map((name, i) => [String(name), all[i] as Uint8Array]));
  }

  /** All of them or none. */
  keep(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const work = this.database.transaction(FILES, "readwrite", { durability: "strict" });
    for (const [name, data] of files) work.objectStore(FILES).put(data, name);
    return new Promise((done, fail) => {
      work.oncomplete = () => done();
      work.onabort = () => fail(work.error ?? new Error("what was played could not be kept"));
    });
  }
}
