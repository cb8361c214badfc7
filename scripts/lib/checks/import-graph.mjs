// Which test files import a module, directly or not. Read from the texts: specifiers of the repository's own modules are relative
// and have their extension.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folders = [
  'bench',
  'cli',
  'client',
  'config',
  'scripts',
  'src',
  'suggest',
  'test',
  'web',
  'workers',
];
const isModule = /\.(?:tsx?|mjs)$/;
const imported = /(?:\bfrom|\bimport\(?|\bnew URL\()\s*'(\.{1,2}\/[^']+)'/g;
/** A type changes nothing that runs. */
const importedTypes = /\b(?:import|export) type [^;']*from '[^']+';/g;

/** @typedef {{ changedMs: number, imports: string[] }} Module */

/** Keeps what it read until the file changes. @param {string} root */
export function createImportGraph(root) {
  /** @type {Map<string, Module>} */
  const known = new Map();

  /** @param {string} path */
  function importsOf(path) {
    const { mtimeMs } = statSync(path);
    const module = known.get(path);
    if (module?.changedMs === mtimeMs) return module.imports;
    const text = readFileSync(path, 'utf8').replaceAll(importedTypes, '');
    const imports = [...text.matchAll(imported)].map(([, specifier = '']) =>
      join(dirname(path), specifier),
    );
    known.set(path, { changedMs: mtimeMs, imports });
    return imports;
  }

  /** The modules that import each file. */
  function importers() {
    /** @type {Map<string, string[]>} */
    const found = new Map();
    for (const path of modulesOf(root)) {
      for (const target of importsOf(path)) found.set(target, [...(found.get(target) ?? []), path]);
    }
    return found;
  }

  return {
    /**
     * The test files that import one of these files, the nearest first: those themselves, then by the number of imports between.
     * @param {Iterable<string>} changed absolute paths
     * @returns {string[]} absolute paths
     */
    testsOf(changed) {
      const by = importers();
      const reached = new Set(changed);
      // A set gives what is added while it is read.
      for (const path of reached) for (const importer of by.get(path) ?? []) reached.add(importer);
      return [...reached].filter((path) => path.endsWith('.test.ts') && isThere(path));
    },
  };
}

/** @param {string} path */
const isThere = (path) => statSync(path, { throwIfNoEntry: false }) !== undefined;

/** @param {string} root @returns {string[]} absolute paths */
function modulesOf(root) {
  return watchedFolders(root).flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => isModule.test(path) && isWatched(path))
      .map((path) => join(root, path)),
  );
}

/** Those of the modules that are there. @param {string} root */
export const watchedFolders = (root) => folders.filter((folder) => isThere(join(root, folder)));

/** Whether a change of the file can change what a test does. @param {string} path from the root */
export const isWatched = (path) =>
  folders.some((folder) => path.startsWith(`${folder}/`)) &&
  !/(?:^|\/)(?:node_modules|dist)\/|~$|\.sw\w$/.test(path);
