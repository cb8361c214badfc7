/** The examples of the mapping pages give the results that they show, and the generated page is up to date. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformPage } from '../../../scripts/lib/transform-page.mjs';
import type { Payload } from '../../../src/domain/mappings/mapping.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { describeTransforms } from '../../../src/mapping/transforms/describe.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';

type Example = {
  mapping: unknown;
  payload?: Partial<Payload>;
  items?: object[];
  invalid?: string[];
};

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const examples = [...read('docs/mapping.md').matchAll(/^```json\n(.*?)^```$/gms)].map(
  ([, text = '']): Example => JSON.parse(text),
);

test('docs/mapping.md has examples', () => expect(examples.length).toBeGreaterThan(5));

test.each(examples.map((example, i) => [i + 1, example] as const))(
  'example %i of docs/mapping.md gives the result that it shows',
  (_, { mapping, payload, items, invalid }) => {
    const compiled = compileMapping(mapping);
    if (!compiled.ok) {
      expect(compiled.problems.map(({ path }) => path)).toEqual(invalid);
      return;
    }
    const whole = { body: {}, headers: {}, query: {}, ...payload };
    const preview = { items: [...previewItems(compiled.mapping, whole, { defaultRegion: 'BR' })] };
    const plain: unknown = JSON.parse(JSON.stringify(preview));
    expect(plain).toMatchObject({ items });
  },
);

test('docs/transforms.md is what `npm run docs` writes', () => {
  expect(read('docs/transforms.md')).toBe(transformPage(describeTransforms()));
});

test('the description of transforms is plain JSON', () => {
  const described = describeTransforms();
  expect(JSON.parse(JSON.stringify(described))).toEqual(described);
  expect(described.map(({ name }) => name)).toEqual(expect.arrayContaining(['phone', 'replace']));
  expect(described.find(({ name }) => name === 'lookup')?.standsAlone).toBe(false);
});
