// What changes an event while a set has it.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../services/collections.ts';
import { actor, eventOf, otherPhone, phone, type Field } from './race-field.ts';
import { takenTwice } from './people-races.ts';
import type { Race } from './races.ts';

const items = [eventOf(2, { phone }), eventOf(3, { phone: otherPhone }), eventOf(4, { phone })];

const eventsOf = ({ context }: Field) => collectionOf<EventRecord>(context.connection, 'events');

type Change = (field: Field, id: string) => Promise<unknown>;

const besideChange = (beside: string, change: Change, over: Partial<Race> = {}): Race => ({
  beside,
  async begin(field) {
    await field.tell(eventOf(1, { phone }));
    const id = await field.send(eventOf(2, { phone }));
    const neighbour = await field.send(eventOf(3, { phone: otherPhone }));
    return { ids: [id, neighbour], other: () => change(field, id) };
  },
  ...over,
});

const besideSplit = (beside: string, change: Change, over: Partial<Race> = {}): Race => ({
  beside: `that splits a body, ${beside}`,
  isSplit: true,
  async begin(field) {
    const id = await field.send({ items }, field.splitting);
    return { ids: [id], other: () => change(field, id) };
  },
  ...over,
});

/** Makes a test event of a stored one. */
const asTest = async (field: Field, id: string): Promise<string> => {
  await eventsOf(field).updateOne(
    { _id: id },
    { $set: { test: { id, delivers: false } }, $unset: { dedupKeys: '' } },
  );
  return id;
};

const removeTest =
  (of: 'webhook' | 'splitting'): Change =>
  (field, _id) =>
    field.stores.testEvents.remove({ _id, webhookId: field[of]._id }, actor);

async function expectNothing({ context }: Field): Promise<void> {
  for (const name of ['events', 'contacts', 'identities', 'chats', 'messages'])
    expect([name, await collectionOf(context.connection, name).countDocuments({})]).toEqual([
      name,
      0,
    ]);
}

const discard: Change = ({ stores }, id) => stores.events.discard(id, actor);
const future = () => new Date(Date.now() + 3_600_000);
const deleteAll =
  (of: 'webhook' | 'splitting'): Change =>
  ({ stores, ...field }) =>
    stores.retention.deleteEvents(field[of]._id, { before: future(), from: '' });

export const eventRaces: readonly Race[] = [
  besideChange('its discard', discard),
  besideChange('a remap', ({ remap }, id) => remap(id, 1)),
  besideChange('an equal resend', ({ send }) => send(eventOf(2, { phone }))),
  besideChange('a resend with another body', ({ send }) =>
    send(eventOf(2, { phone, city: 'Recife' })),
  ),
  besideChange('its deletion by age', deleteAll('webhook'), { isKept: true }),
  besideChange('the deletion of its body', ({ stores, webhook }) =>
    stores.retention.stripBodies(webhook._id, { before: future(), from: '' }),
  ),
  {
    beside: 'a resend that can revive it',
    async begin({ send }) {
      const id = await send(eventOf(2, { name: '' }, { lead: {} }));
      return { ids: [id], other: () => send(eventOf(2, { phone })) };
    },
  },
  {
    beside: 'the deletion of its test',
    async begin(field) {
      const id = await asTest(field, await field.send(eventOf(2, { phone })));
      return { ids: [id], other: () => removeTest('webhook')(field, id) };
    },
    check: expectNothing,
  },
  besideSplit('its discard', discard),
  {
    beside: 'that splits a body, the same in another worker',
    begin: async (field) => takenTwice(field, [await field.send({ items }, field.splitting)]),
  },
  besideSplit('its deletion by age', deleteAll('splitting')),
  {
    beside: 'that splits a body, an item that is received by itself',
    async begin(field) {
      const id = await field.send({ items }, field.splitting);
      const other = async () =>
        field.process(await field.send({ items: items.slice(1, 2) }, field.splitting));
      return { ids: [id], other };
    },
  },
  {
    beside: 'that splits a body, the deletion of its test',
    async begin(field) {
      const id = await asTest(field, await field.send({ items }, field.splitting));
      return { ids: [id], other: () => removeTest('splitting')(field, id) };
    },
    check: expectNothing,
  },
];
