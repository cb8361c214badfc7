import type { InboundRequest } from '../../../src/domain/events/event.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import {
  createStoredBodies,
  decodeGiven,
  decodeStored,
  storedValue,
} from '../../../src/producers/stored-body.ts';

const profile = 'generic';
const document = { split: 'items', contact: { name: { path: 'name' } }, message: {} };

function request(value: unknown, over: Partial<InboundRequest> = {}): InboundRequest {
  const body = Buffer.from(JSON.stringify(value));
  return { body, contentType: 'application/json', headers: {}, query: {}, ...over };
}

const big = (name: string) => request({ items: [{ name, filler: 'x'.repeat(1_200_000) }] });

function counting() {
  let decoded = 0;
  const bodies = createStoredBodies({
    mappings: { getMany: async (keys) => keys.map((key) => ({ ...key, mapping: document })) },
    producerOf: (name) => ({
      ...producerOf(name),
      decodeBody(raw) {
        decoded += 1;
        return producerOf(name).decodeBody(raw);
      },
    }),
  });
  return { ...bodies, decoded: () => decoded };
}

async function mapping(bodies: ReturnType<typeof counting>) {
  const compiled = await bodies.compiledMapping('w', 1);
  if (!compiled) throw new Error('The mapping does not compile.');
  return compiled;
}

test('a body is decoded once for its payload and its items', async () => {
  const bodies = counting();
  const body = bodies.read({
    delivery: request({ items: [{ name: 'a' }, { name: 'b' }] }),
    profile,
  });
  const split = await mapping(bodies);
  expect(body.items(split)).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(body.items(split)).toBe(body.items(split));
  expect(body.payload()?.body).toEqual({ items: [{ name: 'a' }, { name: 'b' }] });
  expect(bodies.decoded()).toBe(1);
});

test('a form is read when its webhook has got a producer that sends JSON', () => {
  const form = request(null, {
    body: Buffer.from('lead[name]=Ana'),
    contentType: 'application/x-www-form-urlencoded',
  });
  const body = counting().read({ delivery: form, profile: 'hubspot' });
  expect(body.payload()?.body).toEqual({ lead: { name: 'Ana' } });
  // Comparisons, repairs, suggestions and erasure read what processing reads.
  expect(storedValue(form, 'hubspot')).toEqual({ lead: { name: 'Ana' } });
  expect(decodeStored(form, 'hubspot')).toEqual({ ok: true, value: { lead: { name: 'Ana' } } });
  expect(decodeGiven(form, 'hubspot').ok).toBe(false);
});

test('a compiled mapping version is the same at each call', async () => {
  const bodies = counting();
  expect(await mapping(bodies)).toBe(await mapping(bodies));
});

test('the shared body of many events is decoded once, though each reads its own copy of the record', async () => {
  const bodies = counting();
  const split = await mapping(bodies);
  const seen = ['a', 'a', 'a'].map((name) =>
    bodies.readShared('parent', { delivery: request({ items: [{ name }] }), profile }).items(split),
  );
  expect(seen).toEqual([[{ name: 'a' }], [{ name: 'a' }], [{ name: 'a' }]]);
  expect(bodies.decoded()).toBe(1);
});

test.each([
  ['body', request({ items: [{ name: 'b' }] })],
  ['content type', request({ items: [{ name: 'a' }] }, { contentType: 'text/plain' })],
  ['header', request({ items: [{ name: 'a' }] }, { headers: { 'x-kind': 'b' } })],
  ['query', request({ items: [{ name: 'a' }] }, { query: { kind: 'b' } })],
])('another %s under the same id is read again', (_what, changed) => {
  const bodies = counting();
  const first = bodies.readShared('parent', {
    delivery: request({ items: [{ name: 'a' }] }),
    profile,
  });
  const second = bodies.readShared('parent', { delivery: changed, profile });
  expect(second).not.toBe(first);
  expect(second.payload()).toEqual({
    body: storedValue(changed, profile),
    headers: changed.headers,
    query: changed.query,
  });
});

test('beyond 2 MiB the body that was not used for longest is dropped, and the last one is always kept', () => {
  const bodies = counting();
  const read = (id: string) => bodies.readShared(id, { delivery: big(id), profile }).payload();
  for (const id of ['a', 'a', 'b', 'b', 'a']) read(id);
  expect(bodies.decoded()).toBe(3);
});

test('a body that is no longer stored, or cannot be decoded, has no payload and no items', async () => {
  const bodies = counting();
  const split = await mapping(bodies);
  const malformed = { ...request(null), body: Buffer.from('{') };
  for (const body of [
    bodies.read({ delivery: null, profile }),
    bodies.readShared('parent', { delivery: null, profile }),
    bodies.read({ delivery: malformed, profile }),
  ]) {
    expect(body.payload()).toBeNull();
    expect(body.items(split)).toEqual([]);
  }
  expect(storedValue(malformed, profile)).toBeNull();
});
