// Two workers and a person who changes chats and contacts, in random orders: whatever meets, each message is stored once, and nothing is
// left without its owner.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { sleep } from '../../../src/base/clock.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import {
  actor,
  createField,
  email,
  eventOf,
  otherPhone,
  phone,
  type Effects,
  type Field,
} from '../../support/context/race-field.ts';
import { expectSound, stateOf } from '../../support/context/race-state.ts';
import { processOpen } from '../../support/context/races.ts';
import { startSteppedWorker } from '../../support/context/stepped-worker.ts';

jest.setTimeout(300_000);

const seed = Number(process.env.INLET_TEST_SEED ?? randomInt(2 ** 31));

let field: Field;
beforeAll(async () => {
  field = await createField('races_random');
  console.log(`random races: INLET_TEST_SEED=${seed}`);
});
afterAll(() => field.context.close());

type People = { readonly one: Effects; readonly other: Effects };
type Change = (people: People) => Promise<unknown>;

const changes: Readonly<Record<string, Change>> = {
  close: ({ one }) => field.stores.conversations.close(one.chatId, null, field.by),
  take: ({ one }) => field.stores.conversations.take(one.chatId, field.by),
  label: ({ one }) => field.stores.conversations.setLabels(one.chatId, [], field.by),
  merge: ({ one, other }) => field.stores.people.merge(other.contactId, one.contactId, actor),
  unmerge: ({ other }) => field.stores.people.unmerge(other.contactId, null, actor),
  edit: ({ one }) =>
    field.stores.people.edit(one.contactId, { set: { name: 'Bela' }, identities: [], actor }),
  erase: async ({ one }) => {
    const contact = (await field.stores.people.getMany([one.contactId]))[0];
    if (contact && !contact.erased) await field.erasures.erase(one.contactId);
  },
  expire: () => endSets(field.context.connection),
  resend: () => field.send(eventOf(3, { phone })),
};

const turn = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('first', 'second') },
  { weight: 1, arbitrary: fc.constantFrom(...Object.keys(changes)) },
);

/** A change that waits for a transaction goes on beside the next turns. */
const blockedMs = 30;

test('any order of two workers and of changes by people leaves each message once, with its event, chat and contact', async () => {
  const turns = fc.array(turn, { minLength: 10, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(turns, async (chosen) => {
      await field.clear();
      const people = {
        one: await field.tell(eventOf(1, { phone })),
        other: await field.tell(eventOf(2, { email })),
      };
      const sets = [
        [await field.send(eventOf(3, { phone })), await field.send(eventOf(4, { email }))],
        [
          await field.send(eventOf(5, { phone: otherPhone })),
          await field.send(eventOf(6, { phone })),
        ],
      ];
      const workers = [];
      for (const ids of sets) workers.push(await startSteppedWorker(field.context, ids));
      const changing: Promise<unknown>[] = [];
      for (const name of chosen) {
        const change = changes[name];
        if (!change) {
          // A step of one worker may wait for the other.
          const worker = workers[name === 'first' ? 0 : 1];
          if (worker && !worker.isAtEnd()) await worker.step();
          continue;
        }
        changing.push(change(people));
        await Promise.race([changing.at(-1), sleep(blockedMs)]);
      }
      for (const worker of workers) await worker.toEnd();
      await Promise.all(changing);
      await field.erasures.toEnd();
      await processOpen(field.context);
      await expectSound(field);
      const { events } = await stateOf(field);
      expect(events).toHaveLength(6);
      for (const { state, hasMessage, isErased } of events)
        expect({ state, hasMessage: hasMessage || isErased }).toEqual({
          state: isErased ? expect.stringMatching(/done|discarded/) : 'done',
          hasMessage: true,
        });
    }),
    { numRuns: 6, seed },
  );
});
