// Every validation error of a mapping has a message in the console, except very rare ones.
import { renderMessages } from '../../../../src/base/texts/texts.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMapping } from '../../../../src/mapping/language/compile.ts';
import { documentProblemKinds } from '../../../../src/mapping/document-problem.ts';
import { mappingSchemas } from '../../../../src/mapping/language/schema.ts';
import { transforms } from '../../../../src/mapping/transforms/registry.ts';
import { listedValues, missingOption } from '../../../../web/src/mapping/document/save-errors.ts';

const root = join(import.meta.dirname, '../../../../web/src/mapping');
const words = JSON.parse(readFileSync(join(root, 'messages.en.json'), 'utf8')) as object;
const source = readFileSync(join(root, 'targets/save-errors.tsx'), 'utf8');

test.each(documentProblemKinds.filter((kind) => kind !== 'not_acceptable'))('%s', (kind) => {
  expect(words).toHaveProperty([`mapping.saveError.${kind}`]);
  expect(source).toMatch(new RegExp(`\\b${kind}\\b`));
});

/** The errors with that transform. */
function refusalsOf(use: unknown) {
  const result = compileMapping({ contact: { name: { path: 'name', transforms: [use] } } });
  return result.ok ? [] : renderMessages(result.problems, 'en');
}

const needy = [...transforms.values()].flatMap(({ name, options }) =>
  (options.required as readonly string[] | undefined)?.length ? [name] : [],
);

test.each(needy)('the required options of %s are named by their labels', (name) => {
  const missing = refusalsOf({ [name]: {} }).map(missingOption);
  expect(missing.length).toBeGreaterThan(0);
  for (const option of missing) expect(words).toHaveProperty([`mapping.option.${option}`]);
});

test('a missing part of the document is not an option', () => {
  const result = compileMapping({ contact: { name: { header: 'x', root: true } } });
  expect(result).toMatchObject({ problems: [{ kind: 'part_missing', about: 'path' }] });
  const problems = result.ok ? [] : renderMessages(result.problems, 'en');
  expect(problems.map(missingOption)).toEqual([null]);
});

function typesIn(schema: unknown): unknown[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type } = schema as { readonly type?: unknown };
  const own = typeof type === 'string' || Array.isArray(type) ? [type].flat() : [];
  return [...own, ...Object.values(schema).flatMap(typesIn)];
}

test.each([...new Set(typesIn(mappingSchemas('#/')))])('the type %s has a message', (type) => {
  expect(words).toHaveProperty([`mapping.type.${String(type)}`]);
});

test('types and choices are listed separately', () => {
  expect(refusalsOf(7).map(listedValues)).toEqual([['string', 'object']]);
  expect(refusalsOf({ number: { decimal: ';' } }).map(listedValues)).toEqual([[',', '.']]);
});
