// What changes a person while a set changes them too.
import { erasePerson } from '../../../src/api/people/erasures.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../services/collections.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { databaseText } from './erasures.ts';
import { actor, email, eventOf, otherPhone, phone, type Field } from './race-field.ts';
import type { Race } from './races.ts';
import { startSteppedWorker, type SteppedWorker } from './stepped-worker.ts';

const ana = { phone, email };

/** Another worker has the same events at once, as after the loss of a set that was not written by a majority. */
export async function takenTwice({ context, process }: Field, ids: readonly string[]) {
  let second: SteppedWorker | null = null;
  const sets = collectionOf<{ _id: string }>(context.connection, 'sets');
  return {
    ids,
    async onTaken() {
      const first = await listSets(context.connection);
      await sets.deleteMany({});
      second = await startSteppedWorker(context, ids);
      await sets.insertMany([...first]);
    },
    other: () => second?.toEnd() ?? process(...ids),
  };
}

/** Two people, one with the phone and one with the address. */
async function twoPeople({ tell }: Field) {
  const one = await tell(eventOf(1, { phone, city: 'Recife' }));
  const other = await tell(eventOf(2, { email }));
  return { one, other };
}

const bridge = eventOf(5, ana);

const traces = /ana@example|Ana \d|Recife/i;
async function expectNoTrace({ context }: Field): Promise<void> {
  expect(await databaseText(context)).not.toMatch(traces);
}

/** An event beside another event that another worker processes. */
const besideEvent = (
  beside: string,
  [own, others]: readonly [object, object],
  known: readonly object[] = [],
): Race => ({
  beside,
  async begin({ send, tell, process }) {
    for (const payload of known) await tell(payload);
    const [id, other] = [await send(own), await send(others)];
    return { ids: [id], other: () => process(other) };
  },
});

/** A newer event of a known person, beside a change of the person. */
const besideChange = (
  beside: string,
  change: (field: Field, contactId: string) => Promise<unknown>,
  over: Partial<Race> = {},
): Race => ({
  beside,
  async begin(field) {
    const { contactId } = await field.tell(eventOf(1, { ...ana, city: 'Recife' }));
    const id = await field.send(eventOf(3, { ...ana, id: 'crm-1' }));
    return { ids: [id], other: () => change(field, contactId) };
  },
  ...over,
});

async function eraseAll({ erasures }: Field, contactId: string, block = false): Promise<void> {
  await erasures.erase(contactId, { block });
  await erasures.toEnd();
}

const edit =
  (set: Readonly<Record<string, string>>, pinned?: readonly string[]) =>
  ({ stores }: Field, contactId: string) =>
    stores.people.edit(contactId, { set, identities: [], actor, ...(pinned && { pinned }) });

const mergeOf =
  (isSurvivor: boolean, hasOpenChat: boolean) =>
  async (field: Field): ReturnType<Race['begin']> => {
    const { stores, tell, send, by } = field;
    const own = await tell(eventOf(1, { phone, city: 'Recife' }));
    const { contactId } = await tell(eventOf(2, { email }));
    if (!hasOpenChat) await stores.conversations.close(own.chatId, null, by);
    const [survivor, merged] = isSurvivor ? [own.contactId, contactId] : [contactId, own.contactId];
    const id = await send(eventOf(3, { phone }));
    return { ids: [id], other: () => stores.people.merge(survivor, merged, actor) };
  };

const besideBridge = (
  beside: string,
  change: (field: Field, people: Awaited<ReturnType<typeof twoPeople>>) => Promise<unknown>,
  over: Partial<Race> = {},
): Race => ({
  beside: `with an event that names two people, ${beside}`,
  async begin(field) {
    const people = await twoPeople(field);
    const id = await field.send(bridge);
    return { ids: [id], other: () => change(field, people) };
  },
  ...over,
});

const splitOf = async ({ send }: Field, to: Webhook): Promise<string> =>
  send({ items: [eventOf(5, { phone: otherPhone }), eventOf(6, ana)] }, to);

export const peopleRaces: readonly Race[] = [
  {
    beside: 'the same event in another worker',
    begin: async (field) => takenTwice(field, [await field.send(eventOf(1, ana))]),
  },
  besideEvent('an event of the same new person', [eventOf(1, ana), eventOf(2, ana)]),
  besideEvent('an event of the same new person by another identity', [
    eventOf(1, { phone }),
    eventOf(2, ana),
  ]),
  besideEvent(
    'a newer event of the same known person',
    [eventOf(2, { ...ana, city: 'Recife' }), eventOf(3, ana)],
    [eventOf(1, ana)],
  ),
  besideEvent(
    'an older event of the same known person, with a new identity',
    [eventOf(3, { phone, id: 'crm-1' }), eventOf(2, { ...ana, city: 'Recife' })],
    [eventOf(1, { phone })],
  ),
  besideBridge('another that names both', async ({ send, process }) =>
    process(await send(eventOf(6, ana))),
  ),
  besideBridge('their merge', ({ stores }, { one, other }) =>
    stores.people.merge(other.contactId, one.contactId, actor),
  ),
  besideBridge('the erasure of one', (field, { one }) => eraseAll(field, one.contactId), {
    isErasure: true,
  }),
  besideBridge('the erasure of the other', (field, { other }) => eraseAll(field, other.contactId), {
    isErasure: true,
  }),
  besideBridge(
    'the erasure and the block of one',
    (field, { one }) => eraseAll(field, one.contactId, true),
    { isErasure: true },
  ),
  { beside: 'a merge into its person', begin: mergeOf(true, true) },
  { beside: 'a merge of its person into another', begin: mergeOf(false, true) },
  { beside: 'a merge into its person, who has no open chat', begin: mergeOf(true, false) },
  { beside: 'a merge of its person, who has no open chat', begin: mergeOf(false, false) },
  {
    beside: 'an unmerge of its person',
    async begin(field) {
      const { stores, send } = field;
      const { one, other } = await twoPeople(field);
      await stores.people.merge(other.contactId, one.contactId, actor);
      const id = await send(eventOf(3, { phone }));
      return { ids: [id], other: () => stores.people.unmerge(other.contactId, null, actor) };
    },
  },
  besideChange('an edit of the name', edit({ name: 'Bela' })),
  besideChange('a pin of the name', edit({}, ['name'])),
  besideChange('an edit with a pin', edit({ name: 'Bela' }, ['name'])),
  besideChange('the erasure of the person', (field, id) => eraseAll(field, id), {
    check: expectNoTrace,
  }),
  besideChange('the erasure and the block', (field, id) => eraseAll(field, id, true), {
    check: expectNoTrace,
  }),
  {
    beside: 'the erasure of a person of whom only the event tells',
    async begin({ send, erasures }) {
      const id = await send(eventOf(3, ana));
      const other = async () => {
        await erasePerson(erasures.api, { email }, actor);
        await erasures.toEnd();
      };
      return { ids: [id], other };
    },
    check: expectNoTrace,
  },
  {
    beside: 'the erasure and the block of a person in a body that is split',
    isSplit: true,
    async begin(field) {
      const { contactId } = await field.tell(eventOf(1, ana));
      const id = await splitOf(field, field.splitting);
      return { ids: [id], other: () => eraseAll(field, contactId, true) };
    },
    async check({ context }) {
      expect(await databaseText(context)).not.toMatch(/ana@example|Ana [16]/);
    },
  },
];
