/**
 * Fetches the files of a lazy-loaded part before the browser imports it. The build calls it for every
 * `import()`. All styles are in the one style sheet of index.html, so the files are scripts.
 *
 * Promises: a part is imported only after all its files were fetched. Browsers remember a failed module until
 * the page is reloaded; a failed fetch here is retried the next time.
 */

/** By URL; failed ones are removed. */
const fetched = new Map<string, Promise<void>>();

/** Into the HTTP cache, where the import finds it: file names contain a content hash. */
async function readFile(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered ${response.status}.`);
  await response.arrayBuffer();
}

function readOnce(address: string): Promise<void> {
  const pending = fetched.get(address);
  if (pending) return pending;
  const reading = readFile(address);
  fetched.set(address, reading);
  reading.catch(() => fetched.delete(address));
  return reading;
}

/** Loaded by index.html. */
const isInDocument = (address: string): boolean =>
  document.querySelector(`script[src="${address}"]`) !== null;

/** `files` are paths of the build, relative to the base URL of the console. */
export async function preload<Part>(
  load: () => Promise<Part>,
  files: readonly string[] = [],
): Promise<Part> {
  const missing = files
    .map((file) => import.meta.env.BASE_URL + file)
    .filter((address) => !isInDocument(address));
  await Promise.all(missing.map(readOnce));
  return load();
}
