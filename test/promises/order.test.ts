// Promise 3: the same receipts give the same contacts, chats and messages in any order of processing, with any repetition and
// any division into sets, also with equal dates and without dates. An event that bridges two people gives one contact, or two with a recorded conflict.
import fc from 'fast-check';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../support/context/test-context.ts';
import { valueOf } from '../support/context/value-of.ts';
import type { MappingDocument } from '../../src/domain/mappings/mapping.ts';
import type { Webhook } from '../../src/domain/webhooks/webhook.ts';
import { insertMapping } from '../../src/store/webhooks/mappings.ts';

jest.setTimeout(120_000);

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('order');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

type Payload = { readonly id: string; readonly lead: object };

/** Receives the events in the order of the list, and processes them in the order, repetition and division of `sets`. */
async function play(events: readonly Payload[], sets: readonly (readonly Payload[])[]) {
  await context.clear();
  const idOf = new Map<string, string>();
  for (const payload of events) idOf.set(payload.id, await context.send(webhook, payload));
  for (const set of sets) await context.processEvents(set.map(({ id }) => idOf.get(id) ?? ''));
  return JSON.parse(JSON.stringify(await context.snapshot(), withoutReceipts));
}

/** The time of receipt of an undated event is another in each run. */
const withoutReceipts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) && value > '2026-02'
    ? 'receipt'
    : value;

/** Many are equal, and some are none. */
const date = fc.option(
  fc.integer({ min: 1, max: 2 }).map((day) => `2026-01-0${day}T12:00:00Z`),
  { nil: undefined, freq: 3 },
);
const maybe = <Value>(values: readonly Value[]) =>
  fc.constantFrom<Value | undefined>(undefined, ...values);

/** Every event has the phone of its person, so that no event bridges. */
const lead = fc.record({
  person: fc.integer({ min: 0, max: 2 }),
  at: date,
  hasEmail: fc.boolean(),
  name: maybe(['Ana', 'Beto', '']),
  city: maybe(['Recife', 'Olinda']),
  origin: maybe(['google', 'meta']),
  label: maybe(['Lead', 'VIP']),
  sector: maybe(['Vendas', 'Suporte']),
});

const leads = fc.array(lead, { minLength: 2, maxLength: 7 }).map((drafts) =>
  drafts.map(({ person, at, hasEmail, name, city, origin, label, sector }, n) => ({
    id: `e${n}`,
    type: 'lead',
    at,
    text: `message ${n}`,
    lead: {
      id: `crm-${person}`,
      phone: `+55 11 9${70_000_000 + person}`,
      email: hasEmail ? `p${person}@example.com` : undefined,
      name,
      city,
    },
    origin,
    label,
    sector,
  })),
);

/** An order with repetitions, and the positions of its division. */
const arrangementOf = <Value>(values: readonly Value[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...values], { minLength: values.length, maxLength: values.length }),
      fc.array(fc.constantFrom(...values), { maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
    )
    .map(([order, repeated, sizes]) => cut([...order, ...repeated], sizes));

function cut<Value>(values: readonly Value[], sizes: readonly number[]): Value[][] {
  const sets: Value[][] = [];
  for (let from = 0, turn = 0; from < values.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    sets.push(values.slice(from, from + size));
    from += size;
  }
  return sets;
}

test('any order, repetition and division of the same receipts ends in the same state', async () => {
  const played = leads.chain((events) =>
    fc.tuple(fc.constant(events), arrangementOf(events), arrangementOf(events)),
  );
  await fc.assert(
    fc.asyncProperty(played, async ([events, one, other]) => {
      const first = await play(events, one);
      const second = await play(events, other);
      expect(second).toEqual(first);
      expect(first.messages).toBe(events.length);
      expect(first.conflicts).toBe(0);
      expect(first.contacts).toHaveLength(new Set(events.map(({ lead: { id } }) => id)).size);
      for (const { chats } of first.contacts) expect(chats).toHaveLength(1);
    }),
    { numRuns: 20 },
  );
});

/** The second version reads other values, and the same dates. */
const remapped: MappingDocument = {
  ...leadMapping,
  contact: {
    ...leadMapping.contact,
    name: { path: 'second.name' },
    fields: { city: { path: 'second.city' } },
  },
  message: { text: { path: 'second.text' } },
  context: { ...leadMapping.context, origin: { path: 'second.origin' } },
};

const actor = { tokenId: 'test', name: 'test' };

const remap = (eventId: string) =>
  context.stores.events.replay(
    {
      eventId,
      change: 'remap',
      channelId: webhook.channelId,
      mappingVersion: 2,
      maxAttempts: undefined,
      state: 'received',
    },
    actor,
  );

type Remapping = {
  readonly events: readonly Payload[];
  /** The first of the events, which are processed and remapped. */
  readonly isRemapped: readonly boolean[];
};

async function playRemaps(
  { events, isRemapped }: Remapping,
  sets: readonly (readonly Payload[])[],
) {
  await context.clear();
  const idOf = new Map<string, string>();
  for (const payload of events) idOf.set(payload.id, await context.send(webhook, payload));
  const idsOf = (some: readonly Payload[]) => some.map(({ id }) => idOf.get(id) ?? '');
  const again = idsOf(events.filter((_event, n) => isRemapped[n]));
  await context.processEvents(again);
  for (const id of again) await remap(id);
  for (const set of sets) await context.processEvents(idsOf(set));
  return JSON.parse(JSON.stringify(await context.snapshot(), withoutReceipts));
}

test('remaps that keep the dates end in the same state in any order beside other events', async () => {
  valueOf(
    await insertMapping(context.stores, { webhookId: webhook._id, mapping: remapped }, actor),
  );
  const played = leads.chain((drafts) => {
    const events = drafts.map((draft, n) => ({
      ...draft,
      second: { name: `Second ${n}`, city: 'Natal', text: `again ${n}`, origin: `again ${n}` },
    }));
    const isRemapped = fc.array(fc.boolean(), {
      minLength: events.length,
      maxLength: events.length,
    });
    return fc.tuple(
      isRemapped.map((flags) => ({ events, isRemapped: flags })),
      arrangementOf(events),
      arrangementOf(events),
    );
  });
  await fc.assert(
    fc.asyncProperty(played, async ([remapping, one, other]) => {
      const first = await playRemaps(remapping, one);
      expect(await playRemaps(remapping, other)).toEqual(first);
      expect(first.messages).toBe(remapping.events.length);
    }),
    { numRuns: 15 },
  );
});

const phone = '+55 11 90000-0001';
const email = 'ana@example.com';
const bridging = fc
  .array(fc.constantFrom({ phone }, { email }, { phone, email }), { minLength: 1, maxLength: 6 })
  .map((people) =>
    people.map((person, n) => ({
      id: `e${n}`,
      at: `2026-01-0${n + 1}T00:00:00Z`,
      text: `message ${n}`,
      lead: person,
    })),
  )
  .chain((events) => fc.tuple(fc.constant(events), arrangementOf(events)));

test('a bridging event gives one contact, or two with the conflict recorded, and never a third', async () => {
  await fc.assert(
    fc.asyncProperty(bridging, async ([events, sets]) => {
      const after = await play(events, sets);
      const hasBridge = events.some(({ lead: person }) => 'phone' in person && 'email' in person);
      const names = new Set(events.flatMap(({ lead: person }) => Object.keys(person)));
      expect(after.messages).toBe(events.length);
      expect(after.contacts.length).toBeLessThanOrEqual(names.size);
      expect(after.conflicts).toBe(hasBridge && after.contacts.length === 2 ? 1 : 0);
      if (!hasBridge) expect(after.contacts).toHaveLength(names.size);
    }),
    { numRuns: 25 },
  );
});
