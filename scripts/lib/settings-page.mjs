// Writes docs/settings.md from .env.example, which has each setting with its default and its meaning.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './paths.mjs';

const head = `# Settings

\`npm run docs\` writes this page from [.env.example](../.env.example).

Settings are environment variables, read at start, the same for all processes except ports. Empty means the default. A wrong value ends the process with code 78. \`npm start\` also reads
\`.env\`; the environment wins.

| variable | default | meaning |
|---|---|---|
`;

/** \`docs/page.md#part\` in a comment becomes a link. @param {string} text */
const withLinks = (text) =>
  text.replaceAll(/docs\/([a-z-]+)\.md(#[a-z0-9-]+)?/g, (_, page, part = '') => {
    const name = part === '' ? page : part.slice(1);
    return `[${name.replaceAll('-', ' ')}](${page}.md${part})`;
  });

/** @param {string} block A comment, and the variables that it is about. */
function rowsOf(block) {
  const lines = block.split('\n');
  const comment = lines.filter((line) => line.startsWith('# ')).map((line) => line.slice(2));
  return lines
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => {
      const [name = '', value = ''] = line.split('=');
      const shown = value === '' ? 'empty' : `\`${value}\``;
      return `| \`${name}\` | ${shown} | ${withLinks(comment.join(' '))} |`;
    });
}

export function settingsPage() {
  const blocks = readFileSync(join(repository, '.env.example'), 'utf8').trim().split('\n\n');
  return `${head}${blocks.flatMap(rowsOf).join('\n')}\n`;
}
