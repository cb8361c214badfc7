/**
 * Fetches the files of a lazy-loaded part before the browser imports it. The build calls it for every
 * `import()`.
 *
 * Promises: a part is imported only after all its files were fetched. Browsers remember a failed module until
 * the page is reloaded; a failed fetch here is retried the next time.
 */

/** By URL; failed ones are removed. */
const fetched = new Map<string, Promise<void>>();
const applied = new Map<string, Promise<void>>();

function memoize(
  done: Map<string, Promise<void>>,
  address: string,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const pending = done.get(address);
  if (pending) return pending;
  const working = work(address);
  done.set(address, working);
  working.catch(() => done.delete(address));
  return working;
}

/** Into the HTTP cache, where the import finds it: file names contain a content hash. */
async function readFile(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered ${response.status}.`);
  await response.arrayBuffer();
}

function applyStyles(address: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${address} could not be applied.`));
    });
    document.head.append(link);
  });
}

/** Loaded by index.html. */
const isInDocument = (address: string): boolean =>
  !applied.has(address) &&
  document.querySelector(`:is(script[src="${address}"], link[href="${address}"])`) !== null;

/** `files` are paths of the build, relative to the base URL of the console. */
export async function preload<Part>(
  load: () => Promise<Part>,
  files: readonly string[] = [],
): Promise<Part> {
  const missing = files
    .map((file) => import.meta.env.BASE_URL + file)
    .filter((address) => !isInDocument(address));
  await Promise.all(missing.map((address) => memoize(fetched, address, readFile)));
  // In order: later style sheets override earlier ones.
  const styles = missing.filter((address) => address.endsWith('.css'));
  await Promise.all(styles.map((address) => memoize(applied, address, applyStyles)));
  return load();
}
