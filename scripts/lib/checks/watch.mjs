// Calls back with the files that changed, one call at a time: what changes during a call is in the next one.
import { watch } from 'node:fs';
import { join } from 'node:path';
import { isWatched, watchedFolders } from './import-graph.mjs';

/** Editors write a file in several steps. */
const quietMs = 200;

/**
 * @param {string} root
 * @param {(changed: string[]) => Promise<void>} onChange gets absolute paths; when it rejects, the watch goes on
 * @param {(error: unknown) => void} onError
 * @returns {() => void} ends it
 */
export function watchFiles(root, onChange, onError) {
  /** @type {Set<string>} */
  let changed = new Set();
  let isRunning = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  async function run() {
    if (isRunning || changed.size === 0) return;
    isRunning = true;
    const paths = [...changed];
    changed = new Set();
    await onChange(paths).catch(onError);
    isRunning = false;
    void run();
  }

  /** @param {string} path from the root */
  function add(path) {
    if (!isWatched(path)) return;
    changed.add(join(root, path));
    clearTimeout(timer);
    timer = setTimeout(() => void run(), quietMs);
  }

  const watchers = watchedFolders(root).map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (name !== null) add(join(folder, name));
    }).on('error', onError),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
