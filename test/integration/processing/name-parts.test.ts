// A name whose parts come one an event follows from all of them, in any order of processing and any cut into sets.
import fc from 'fast-check';
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('name_parts');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const dated = { eventId: { path: 'id' }, eventDate: { path: 'at' } };
const person = { phone: { path: 'phone' } };
const inParts = {
  ...dated,
  contact: { ...person, name: { join: [{ path: 'first' }, { path: 'last' }], parts: true } },
};
const whole = { ...dated, contact: { ...person, name: { path: 'name' } } };

const at = (minute: number) => `2026-01-06T12:${String(minute).padStart(2, '0')}:00Z`;
const phone = '+5511900000001';

type Change = { readonly first?: string; readonly last?: string; readonly name?: string };
type Dated = readonly [change: Change, minute: number];

/** Processes the sets one after another. All are received by their date. */
async function nameAfter(...sets: readonly (readonly Dated[])[]) {
  await context.clear();
  const parts = await context.addWebhook(inParts);
  const other = await context.addWebhook(whole, parts.channelId);
  const ids = new Map<number, string>();
  for (const [change, minute] of sets.flat().toSorted(([, a], [, b]) => a - b)) {
    const body = { id: `e${minute}`, at: at(minute), phone, ...change };
    ids.set(minute, await context.send('name' in change ? other : parts, body));
  }
  for (const set of sets)
    await context.processEvents(set.map(([, minute]) => ids.get(minute) ?? ''));
  const { contacts } = await context.snapshot();
  expect(contacts).toHaveLength(1);
  return contacts[0]?.registers.name;
}

test('the other part of the name stays', async () => {
  const [first, last]: Dated[] = [
    [{ first: 'Ana' }, 1],
    [{ last: 'Exemplo' }, 2],
  ];
  if (!first || !last) throw new Error('No changes.');
  expect(await nameAfter([first], [last])).toBe('Ana Exemplo');
  expect(await nameAfter([last], [first])).toBe('Ana Exemplo');
  expect(await nameAfter([first, last])).toBe('Ana Exemplo');
});

test('a part changes without the other', async () => {
  const name = await nameAfter(
    [[{ first: 'Ana', last: 'Exemplo' }, 1]],
    [[{ last: 'Modelo' }, 2]],
    [[{ first: 'Anna' }, 3]],
  );
  expect(name).toBe('Anna Modelo');
});

test('a later whole name replaces the parts, and a part alone replaces no whole name', async () => {
  const both: Dated = [{ first: 'Ana', last: 'Exemplo' }, 1];
  expect(await nameAfter([both], [[{ name: 'Ana Maria' }, 2]])).toBe('Ana Maria');
  const early: Dated = [{ name: 'Ana Maria' }, 1];
  const last: Dated = [{ last: 'Exemplo' }, 2];
  expect(await nameAfter([early], [last])).toBe('Ana Maria');
  expect(await nameAfter([last], [early])).toBe('Ana Maria');
});

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ first: fc.constantFrom('Ana', 'Bia', '$Eva') }),
  fc.record({ last: fc.constantFrom('Lima', 'Rosa') }),
  fc.record({ first: fc.constant('Cora'), last: fc.constant('Reis') }),
  fc.record({ name: fc.constantFrom('Ana Lima', 'Dora') }),
);

test('any order and any cut into sets give the same name', async () => {
  const orders = fc
    .array(change, { minLength: 2, maxLength: 5 })
    .map((changes) => changes.map((one, minute): Dated => [one, minute]))
    .chain((all) =>
      fc.record({
        all: fc.constant(all),
        shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
        together: fc.nat(all.length),
      }),
    );
  await fc.assert(
    fc.asyncProperty(orders, async ({ all, shuffled, together }) => {
      const inOrder = await nameAfter(...all.map((one) => [one]));
      const sets = [
        shuffled.slice(0, together),
        ...shuffled.slice(together).map((one) => [one]),
      ].filter((set) => set.length > 0);
      expect(await nameAfter(...sets)).toBe(inOrder);
    }),
    { numRuns: 25 },
  );
}, 120_000);

test('a pinned name stays shown, and the name beneath it follows from the parts', async () => {
  const webhook = await context.addWebhook(inParts);
  const send = async (id: string, minute: number, body: Change) => {
    const eventId = await context.send(webhook, { id, at: at(minute), phone, ...body });
    await context.processEvents([eventId]);
    return (await context.stores.events.get(eventId))?.effects?.contactId ?? '';
  };
  const id = await send('e1', 1, { first: 'Ana' });
  const { people } = context.stores;
  const actor = { tokenId: 'test', name: 'test' };
  await people.edit(id, { set: { name: 'Aninha' }, pinned: ['name'], identities: [], actor });
  await send('e2', 2, { last: 'Exemplo' });
  const contacts = collectionOf<ContactRecord>(context.connection, 'contacts');
  const pinned = await contacts.findOne({ _id: id });
  expect(pinned?.registers.name?.value).toBe('Aninha');
  expect(pinned?.beneath?.name?.value).toBe('Ana Exemplo');
});
