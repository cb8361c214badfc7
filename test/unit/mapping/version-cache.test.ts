import type { VersionKey } from '../../../src/domain/mappings/mapping-version.ts';
import { createVersionCache } from '../../../src/mapping/evaluation/version-cache.ts';

const documentOf = (name: string) => ({ contact: { name: { path: name } }, message: {} });

/** Stores a mapping for each webhook that `documents` names, in version 1. */
function counting(documents: Readonly<Record<string, unknown>>, maxCharacters?: number) {
  const reads: (readonly VersionKey[])[] = [];
  const compiledMapping = createVersionCache(
    {
      async getMany(keys) {
        reads.push(keys);
        return keys.flatMap((key) => {
          const mapping = key.version === 1 ? documents[key.webhookId] : undefined;
          return mapping === undefined ? [] : [{ ...key, mapping }];
        });
      },
    },
    maxCharacters,
  );
  return { compiledMapping, reads };
}

test('versions that are asked for at the same time are read together, and once', async () => {
  const { compiledMapping, reads } = counting({ a: documentOf('x'), b: documentOf('y') });
  const first = compiledMapping('a', 1);
  const all = await Promise.all([first, compiledMapping('b', 1), compiledMapping('a', 1)]);
  expect(all.map((mapping) => mapping !== null)).toEqual([true, true, true]);
  expect(reads).toEqual([
    [
      { webhookId: 'a', version: 1 },
      { webhookId: 'b', version: 1 },
    ],
  ]);
  expect(await compiledMapping('a', 1)).toBe(all[0]);
  expect(reads).toHaveLength(1);
});

test('a version that is asked for while it is read is not read twice', async () => {
  const { compiledMapping, reads } = counting({ a: documentOf('x') });
  const first = compiledMapping('a', 1);
  await Promise.resolve();
  await Promise.all([first, compiledMapping('a', 1)]);
  expect(reads).toHaveLength(1);
});

test('webhooks with the same mapping share what is compiled, others do not', async () => {
  const { compiledMapping } = counting({
    a: documentOf('x'),
    b: documentOf('x'),
    c: documentOf('y'),
  });
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((id) => compiledMapping(id, 1)));
  expect(a).toBe(b);
  expect(a).not.toBe(c);
});

test('a version that does not exist or does not compile is null, and asked for again', async () => {
  const { compiledMapping, reads } = counting({ a: { contact: 7 } });
  const ask = () => Promise.all([compiledMapping('a', 1), compiledMapping('a', 2)]);
  expect(await ask()).toEqual([null, null]);
  expect(await ask()).toEqual([null, null]);
  expect(reads).toHaveLength(2);
});

test('mappings beyond the bound of their documents are read again', async () => {
  const documents = { a: documentOf('x'), b: documentOf('y'), c: documentOf('z') };
  const { compiledMapping, reads } = counting(documents, 2 * JSON.stringify(documents.a).length);
  for (const id of ['a', 'b', 'c']) expect(await compiledMapping(id, 1)).not.toBeNull();
  await compiledMapping('c', 1);
  expect(reads).toHaveLength(3);
  expect(await compiledMapping('a', 1)).not.toBeNull();
  expect(reads).toHaveLength(4);
});
