import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'node:v8';
import fc from 'fast-check';
import { sleep } from '../../../src/base/clock.ts';
import { createTaskThread } from '../../../src/base/process/task-thread.ts';
import { createDecodeThread } from '../../../src/producers/decode-thread/decode-thread.ts';
import { createPieceReader, piecesOf } from '../../../src/producers/decode-thread/pieces.ts';
import { producerOf, producers } from '../../../src/producers/registry.ts';
import { samples } from '../../../src/producers/samples/samples.ts';
import { kommoBatch } from '../../support/fixtures/kommo-batch.ts';

const form = 'application/x-www-form-urlencoded';
const thread = createDecodeThread({ deadlineMs: 60_000 });
afterAll(() => thread.close());

type Case = readonly [profile: string, contentType: string | undefined, body: string];

async function expectSame([profile, contentType, text]: Case): Promise<void> {
  const raw = { contentType, body: Buffer.from(text) };
  const { decoded } = await thread.decode(profile, raw);
  const inline = producerOf(profile).decodeBody(raw);
  expect(decoded).toEqual(inline);
  // The order of members too.
  expect(JSON.stringify(decoded)).toBe(JSON.stringify(inline));
}

describe('the thread returns what the decoder returns', () => {
  const names = Object.keys(producers) as (keyof typeof producers)[];

  test.each(names)('for the sample of %s', async (name) => {
    const { contentType, rawBody } = samples[name];
    await expectSame([name, contentType, rawBody]);
  });

  test('for every payload of the corpus', async () => {
    const folder = join(import.meta.dirname, '../../../suggest/corpora/corpus');
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      const sample = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      const text = sample.raw_body ?? JSON.stringify(sample.body);
      await expectSame([sample.producer, sample.content_type ?? undefined, text]);
    }
  });

  test.each<[string, ...Case]>([
    ['a batch of 12,000 fields', 'kommo', form, kommoBatch(12_000)],
    ['too many fields', 'kommo', form, 'a=1&'.repeat(20_001)],
    ['too many levels', 'generic', undefined, '['.repeat(1_000)],
    ['invalid JSON', 'generic', undefined, '{"a": 1,\n "b": }'],
    ['an unsupported type', 'whatsapp', form, 'a=1'],
    ['names of prototypes', 'generic', undefined, '{"__proto__":{"a":1},"constructor":[[],{}]}'],
    ['numbers beyond 2^53', 'generic', undefined, '{"a":12345678901234567890,"b":-0,"c":1.5}'],
    ['50,000 keys', 'generic', undefined, keys(49_999)],
    ['XML', 'generic', 'text/xml', `<a>${'<b c="1">é</b>'.repeat(10_000)}</a>`],
    ['a character set', 'generic', `${form}; charset=gb18030`, 'a=%C4%E3&b=%80'],
  ])('for %s', (_name, ...given) => expectSame(given));

  function keys(count: number): string {
    return JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n])),
    );
  }
});

describe('pieces', () => {
  const read = (pieces: readonly Uint8Array[]) => {
    const reader = createPieceReader();
    for (const piece of pieces) reader.add(piece);
    return reader.value();
  };
  const objectsIn = (value: unknown): object[] => {
    if (typeof value !== 'object' || value === null) return [];
    return [...(Array.isArray(value) ? [] : [value]), ...Object.values(value).flatMap(objectsIn)];
  };

  test('hold any JSON value, whose objects come without prototypes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const copy = read(piecesOf(value));
        expect(copy).toEqual(value);
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
        for (const object of objectsIn(copy)) expect(Object.getPrototypeOf(object)).toBeNull();
      }),
    );
  });

  test('are small, so that each takes short to read', () => {
    const decoded = producerOf('kommo').decodeBody({
      contentType: form,
      body: Buffer.from(kommoBatch(12_000)),
    });
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
    const pieces = piecesOf(decoded.value);
    const lengths = pieces.map((piece) => (deserialize(piece) as unknown[]).length);
    expect(Math.max(...lengths)).toBe(2_000);
    expect(lengths.length).toBeGreaterThan(20);
    expect(read(pieces)).toEqual(decoded.value);
  });
});

test('the event loop goes on between the pieces of a large body', async () => {
  const body = Buffer.from(kommoBatch(12_000));
  let isDone = false;
  let turns = 0;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  count();
  await thread.decode('kommo', { contentType: form, body });
  isDone = true;
  expect(turns).toBeGreaterThan(20);
});

describe('a thread that fails', () => {
  const file = join(import.meta.dirname, '../../support/processes/failing-decoder.mjs');
  const raw = { contentType: undefined, body: Buffer.from('{}') };

  test.each([
    ['hangs', 'within'],
    ['throws', 'broken'],
    ['exits', 'ended'],
    ['fills', 'memory'],
  ])('and %s is rejected, and the next body is decoded by another', async (failure, message) => {
    const deadlineMs = failure === 'hangs' ? 5_000 : 60_000;
    const failing = createDecodeThread({ file, deadlineMs });
    try {
      await expect(failing.decode(failure, raw)).rejects.toThrow(message);
      const { decoded } = await failing.decode('none', raw);
      expect(decoded).toEqual({ ok: true, value: 'decoded' });
    } finally {
      await failing.close();
    }
  });

  test('is not waited for when a task cannot be cloned', async () => {
    const options = { name: 'test', file, deadlineMs: 100, maxHeapMb: 64 };
    const thread = createTaskThread<object, unknown>(options);
    const unhandled: unknown[] = [];
    const note = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', note);
    try {
      await expect(thread.run({ profile: () => 'none' })).rejects.toThrow('could not be cloned');
      await sleep(500);
      expect(unhandled).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
      await thread.close();
    }
  });

  test('is rejected when it is closed', async () => {
    const closed = createDecodeThread({ file });
    const outcome = closed.decode('hangs', raw).catch((error: Error) => error.message);
    await closed.close();
    expect(await outcome).toContain('closed');
  });
});
