/** Words and file names that were replaced by standard terms stay out. docs/glossary.md has the terms. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const thisFile = 'test/language.test.ts';

const replacedNames = new Set(
  `amend apart calm courier courtesy dying endings entrance family firm gather hands insist introduce joints judge
  keeping kin look malice mend neighbour office seat sides sift stage standing story tally terms told together tongues turns
  witness world`.split(/\s+/),
);

const replacedWords =
  /\b(?:whoever|whomever|anybody|meanwhile|anew|mend(?:s|ed|ing)?|courier|told of|the hands of|in the hands)\b/i;

/** Tracked files, and those that are about to be. */
function filesOf(...patterns: string[]): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));
}

const code = filesOf(
  'src',
  'suggest',
  'workers',
  'config',
  'web/src',
  'client',
  'cli',
  'scripts',
  'bench',
  'test',
);
const texts = [...code, ...filesOf('docs/*.md', '*.md')].filter(
  (file) => /\.(?:tsx?|m?js|md|css)$|messages\.en\.json$/.test(file) && file !== thisFile,
);

test('the tests below see the files', () => {
  expect(code.length).toBeGreaterThan(800);
  expect(texts).toEqual(expect.arrayContaining(['README.md', 'docs/glossary.md', 'src/server.ts']));
});

test('no file has a replaced name', () => {
  const nameOf = (file: string) => basename(file).replace(/(?:\.test)?\.\w+$/, '');
  expect(code.filter((file) => replacedNames.has(nameOf(file)))).toEqual([]);
});

test('no text has a replaced word', () => {
  const found = texts.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const [word] = replacedWords.exec(line) ?? [];
        return word === undefined ? [] : [`${file}:${index + 1}: ${word}`];
      }),
  );
  expect(found).toEqual([]);
});
