/**
 * The messages of the console: the same keys and arguments in every language, no missing and no unused
 * messages. A key built in code, such as `state.${state}`, matches all keys with its start and end.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { parseSync } from '@swc/core';

const root = join(import.meta.dirname, '../../../web/src');
const languages = ['en', 'pt-BR', 'es'] as const;
type Language = (typeof languages)[number];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
const folders = [
  ...new Set(files.filter((name) => /(^|\/)messages\.[\w-]+\.json$/.test(name)).map(dirname)),
];

const read = (folder: string, language: Language): Record<string, string> =>
  JSON.parse(readFileSync(join(root, folder, `messages.${language}.json`), 'utf8'));

/** Every key with its text in each language. */
const entries = folders.flatMap((folder) => {
  const [en, pt, es] = [read(folder, 'en'), read(folder, 'pt-BR'), read(folder, 'es')];
  return Object.keys(en).map((key) => ({
    key,
    folder,
    words: { en: en[key] ?? '', 'pt-BR': pt[key] ?? '', es: es[key] ?? '' },
  }));
});
const keys = new Set(entries.map(({ key }) => key));

/** The arguments of a message: names, select options and tags. */
function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  const visit = (elements: readonly MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
      if (element.type === TYPE.tag) {
        found.add(`<${element.value}>`);
        visit(element.children);
        continue;
      }
      const isSelect = element.type === TYPE.select;
      const choices = isSelect ? Object.keys(element.options).toSorted().join('|') : '';
      found.add(`${element.value} ${choices}`);
      if (isSelect || element.type === TYPE.plural) {
        for (const option of Object.values(element.options)) visit(option.value);
      }
    }
  };
  visit(parse(message));
  return [...found].toSorted();
}

// A node of the parsed source; only a few shapes matter here.
type Node = { readonly type?: string; readonly [field: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

function walk(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, see);
  else if (isNode(value)) {
    if (typeof value.type === 'string') see(value);
    for (const child of Object.values(value)) walk(child, see);
  }
}

type Family = { readonly start: string; readonly end: string };

function textsIn(tree: unknown): { literals: string[]; families: Family[] } {
  const literals: string[] = [];
  const families: Family[] = [];
  walk(tree, (node) => {
    if (node.type === 'StringLiteral') literals.push(String(node.value));
    if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return;
    const parts = node.quasis.map((one: Node) => String(one.cooked));
    if (parts.length === 1) literals.push(parts[0] ?? '');
    else families.push({ start: parts[0] ?? '', end: parts.at(-1) ?? '' });
  });
  return { literals, families };
}

const nameOf = (callee: unknown): string => {
  if (!isNode(callee)) return '';
  if (callee.type === 'Identifier') return String(callee.value);
  return callee.type === 'MemberExpression' ? nameOf(callee.property) : '';
};

/** The expressions used as ids in `formatMessage({ id })` and `<FormattedMessage id>`. */
function idsIn(tree: unknown): unknown[] {
  const found: unknown[] = [];
  walk(tree, (node) => {
    if (node.type === 'CallExpression' && nameOf(node.callee) === 'formatMessage') {
      const [first] = node.arguments as { expression: Node }[];
      const properties = (first?.expression.properties ?? []) as Node[];
      for (const one of properties) if (nameOfKey(one) === 'id') found.push(one.value);
    }
    if (node.type === 'JSXOpeningElement' && nameOf(node.name) === 'FormattedMessage') {
      const attributes = node.attributes as Node[];
      for (const one of attributes) if (nameOf(one.name) === 'id') found.push(one.value);
    }
  });
  return found;
}

const nameOfKey = ({ key }: Node): string => (isNode(key) ? String(key.value) : '');

const sources = files
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => ({
    name,
    tree: parseSync(readFileSync(join(root, name), 'utf8'), {
      syntax: 'typescript',
      tsx: name.endsWith('.tsx'),
    }),
  }));

const isOf = (key: string, { start, end }: Family): boolean =>
  key.startsWith(start) && key.endsWith(end) && key.length > start.length + end.length;

test('messages and ids are found', () => {
  expect(keys.size).toBeGreaterThan(60);
  expect(sources.flatMap(({ tree }) => idsIn(tree)).length).toBeGreaterThan(20);
});

test.each(folders)('%s has the same keys in every language', (folder) => {
  const english = Object.keys(read(folder, 'en'));
  for (const language of languages) {
    expect([language, Object.keys(read(folder, language)).toSorted()]).toEqual([
      language,
      english.toSorted(),
    ]);
  }
});

test('a key is in one folder only, and has the form noun.thing', () => {
  const counts = new Map<string, string[]>();
  for (const { key, folder } of entries) counts.set(key, [...(counts.get(key) ?? []), folder]);
  expect([...counts].filter(([, places]) => places.length > 1)).toEqual([]);
  expect([...keys].filter((key) => !/^[a-z][A-Za-z]*(\.[\w-]+)+$/.test(key))).toEqual([]);
});

test('every message parses, is not empty, and has the same arguments in every language', () => {
  const wrong = entries.flatMap(({ key, words }) =>
    languages.flatMap((language) => {
      try {
        const text = words[language];
        if (text.trim() === '') return [`${key} says nothing in ${language}`];
        const [given, wanted] = [argumentsOf(text), argumentsOf(words.en)];
        const isSame = given.join() === wanted.join();
        return isSame ? [] : [`${key}: ${language} takes ${given.join()}, en ${wanted.join()}`];
      } catch (error) {
        return [`${key} in ${language}: ${String(error)}`];
      }
    }),
  );
  expect(wrong).toEqual([]);
});

test('every used message exists', () => {
  const missing = sources.flatMap(({ name, tree }) => {
    const { literals, families } = textsIn(idsIn(tree));
    const lost = literals.filter((text) => text.includes('.') && !keys.has(text));
    const empty = families.filter((family) => ![...keys].some((key) => isOf(key, family)));
    return [...lost, ...empty.map(({ start, end }) => `${start}…${end}`)].map(
      (id) => `${name}: ${id}`,
    );
  });
  expect(missing).toEqual([]);
});

test('every message is used', () => {
  const { literals, families } = textsIn(sources.map(({ tree }) => tree));
  const used = new Set(literals);
  // A pattern must start with a fixed noun: otherwise it would match every key.
  const named = families.filter(({ start }) => /^[a-z][A-Za-z]*\./.test(start));
  const silent = [...keys].filter((key) => !used.has(key) && !named.some((one) => isOf(key, one)));
  expect(silent).toEqual([]);
});

test('"ID" is spelled the same everywhere', () => {
  const wrong = entries.flatMap(({ key, words }) =>
    languages.filter((language) => /(?<![{\w])[Ii]ds?\b/.test(words[language])).map(() => key),
  );
  expect(wrong).toEqual([]);
});

/** CLDR puts 0 into "one" for Portuguese, but people say "0 eventos". */
test('in Portuguese zero uses the plural', () => {
  const isAsked = (element: MessageFormatElement): boolean =>
    (element.type === TYPE.plural && 'one' in element.options) ||
    ((element.type === TYPE.plural || element.type === TYPE.select) &&
      Object.values(element.options).some(({ value }) => value.some(isAsked))) ||
    (element.type === TYPE.tag && element.children.some(isAsked));
  const wrong = entries.filter(({ words }) => parse(words['pt-BR']).some(isAsked));
  expect(wrong.map(({ key }) => `${key}: write =1 for one`)).toEqual([]);
});

describe('the words', () => {
  test.each([
    ['en', /\b(?:fares?|nobody|dead letters?)\b/i],
    ['pt-BR', /dados recebidos|para metade|ainda lendo|dead letters?/i],
    ['es', /datos recibidos|para la mitad|todavía leyendo|dead letters?/i],
  ] as const)('none of the words that went is back: %s', (language, gone) => {
    expect(entries.filter(({ words }) => gone.test(words[language])).map(({ key }) => key)).toEqual(
      [],
    );
  });
});
