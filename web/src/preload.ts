/**
 * Reads the files of a part of the console before the browser imports it; the build calls it for every `import()`.
 *
 * Promises: the part is imported only when all of its files have come. Browsers remember a module that could not be fetched as
 * broken until the page is loaded anew; a file that has not come here is asked for again the next time.
 */

/** By address; those that failed are not in them. */
const read = new Map<string, Promise<void>>();
const applied = new Map<string, Promise<void>>();

function once(
  done: Map<string, Promise<void>>,
  address: string,
  work: (address: string) => Promise<void>,
): Promise<void> {
  const begun = done.get(address);
  if (begun) return begun;
  const working = work(address);
  done.set(address, working);
  working.catch(() => done.delete(address));
  return working;
}

/** Into the browser's cache, where the import finds it: files are named by what is in them and kept. */
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

/** By the page itself. */
const isInPage = (address: string): boolean =>
  !applied.has(address) &&
  document.querySelector(`:is(script[src="${address}"], link[href="${address}"])`) !== null;

/** `files` as the build names them, below the address of the console. */
export async function preload<Part>(
  load: () => Promise<Part>,
  files: readonly string[] = [],
): Promise<Part> {
  const missing = files
    .map((file) => import.meta.env.BASE_URL + file)
    .filter((address) => !isInPage(address));
  await Promise.all(missing.map((address) => once(read, address, readFile)));
  // In their order, in which later ones overrule earlier ones.
  const styles = missing.filter((address) => address.endsWith('.css'));
  await Promise.all(styles.map((address) => once(applied, address, applyStyles)));
  return load();
}
