// The pictures that pages show.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../paths.mjs';
import { pageFiles } from './pages.mjs';

/** Their paths in the repository. */
export function shownPictures() {
  const shown = ['README.md', ...pageFiles.values()].flatMap((page) => {
    const text = readFileSync(join(repository, page), 'utf8');
    const found = [...text.matchAll(/!\[[^\]]*\]\((?!https?:)([^)\s]+)\)/g)];
    return found.map(([, path = '']) => join(dirname(page), path));
  });
  return new Set(shown);
}
