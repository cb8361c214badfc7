/** Folders, version and revision of the installation. Sources run from `src`, their compilation from `dist/src`, and bundles from `dist/bin`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder with package.json, the base of relative paths. */
export const repositoryFolder =
  ['../..', '../../..']
    .map((up) => join(import.meta.dirname, up))
    .find((folder) => existsSync(join(folder, 'package.json'))) ?? process.cwd();

/** The folder with the built `assets` and `web`. */
export const builtFolder = join(repositoryFolder, 'dist');

export function versionOfPackage(): string {
  const text = readFileSync(join(repositoryFolder, 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Replaced by the bundler with a string. Sources that are not bundled do not have it. */
declare const INLET_REVISION: string | undefined;

/** The revision of the sources that were built; `unknown` when the build was not given one. */
export const revision = (typeof INLET_REVISION === 'undefined' ? '' : INLET_REVISION) || 'unknown';
