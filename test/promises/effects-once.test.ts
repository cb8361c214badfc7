// Promise 2: each external event id has one contact, chat and message, for any number of resends and concurrent
// workers. An event without an id is never treated as a resend.
import { leadMapping } from '../support/context/test-context.ts';
import { createDeployment, type Deployment } from '../support/processes/roles.ts';
import { waitForValue, type Webhook } from '../support/processes/client.ts';

let inlet: Deployment;
let webhook: Webhook;
beforeAll(async () => {
  inlet = await createDeployment('once');
  await inlet.start('server');
  await Promise.all([1, 2, 3].map(() => inlet.start('worker')));
  webhook = await inlet.client.addActiveWebhook(leadMapping);
});
afterAll(() => inlet.close());

const events = 200;
const people = 40;
const phoneOf = (person: number) => `+55 11 9${70_000_000 + person}`;
const emailOf = (person: number) => `p${person}@example.com`;

/** Most people are identified by phone and email together, the first few also by one of the two alone. */
function identityOf(n: number) {
  const person = n % people;
  const both = { phone: phoneOf(person), email: emailOf(person) };
  if (person >= bridged) return both;
  return [both, { phone: both.phone }, { email: both.email }][Math.floor(n / people) % 3];
}
const bridged = 6;

const payload = (n: number) => ({
  id: `e${n}`,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${n}`,
  lead: { name: `Person ${n % people}`, ...identityOf(n) },
});

type Ended = { _id: string; state: string; externalId: string | null };
const collection = (name: string) => inlet.db.collection<Ended>(name);

const ended = (count: number) =>
  waitForValue(`${count} events are done`, async () => {
    const open = await collection('events').countDocuments({ open: true });
    const done = await collection('events').countDocuments({ state: 'done' });
    return open === 0 && done >= count ? done : undefined;
  });

test('200 events of which every third is sent three times at once have their effects once', async () => {
  const sends = Array.from({ length: events }, (_, n) => (n % 3 === 0 ? [n, n, n] : [n])).flat();
  const answers = await Promise.all(
    sends.map(async (n) => ({
      n,
      ...(await inlet.client.deliverPatiently(webhook.key, payload(n))),
    })),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);

  const idsOf = new Map<number, Set<string | undefined>>();
  for (const { n, data } of answers) {
    idsOf.set(n, (idsOf.get(n) ?? new Set()).add(data.eventId));
  }
  expect([...idsOf.values()].filter((ids) => ids.size !== 1)).toEqual([]);
  const fresh = answers.filter(({ data }) => data.duplicate === false);
  expect(new Set(fresh.map(({ n }) => n)).size).toBe(fresh.length);
  // An event whose first answer was 503 may have been stored: its other answers are duplicates then.
  const isSure = !inlet.output().includes('http.unavailable');
  expect(isSure ? fresh.length : events).toBe(events);

  await ended(events);
  expect(await collection('events').countDocuments()).toBe(events);
  const messages = await inlet.db.collection('messages').find().toArray();
  const texts = messages.map(({ content }) => (content as { message: string }).message);
  expect(texts.toSorted()).toEqual(
    Array.from({ length: events }, (_, n) => `hello ${n}`).toSorted(),
  );
});

// A bridge (the phone of one contact with the email of another) may leave two contacts and a recorded conflict, never
// three. Every other person is one contact.
test('each person is one contact with one open chat, except recorded bridges', async () => {
  const { results } = await inlet.client.contacts();
  const called = (person: number) => results.filter(({ name }) => name === `Person ${person}`);
  const conflicts = await inlet.db
    .collection<{ contactIds: string[] }>('conflicts')
    .find()
    .toArray();
  for (let person = 0; person < people; person += 1) {
    const contacts = called(person);
    const recorded = conflicts.filter(({ contactIds }) =>
      contacts.some(({ id }) => contactIds.includes(id)),
    );
    expect(recorded).toHaveLength(contacts.length - 1);
    expect(contacts.length).toBeLessThanOrEqual(person < bridged ? 2 : 1);
  }
  expect(results).toHaveLength(people + conflicts.length);
  const { results: chats } = await inlet.client.chats();
  expect(chats.map(({ contact }) => contact?.id ?? '').toSorted()).toEqual(
    results.map(({ id }) => id).toSorted(),
  );
});

test.each([
  ['no event id', {}],
  ['an empty event id', { id: '' }],
  ['an event id that is null', { id: null }],
])('equal events with %s are never treated as resends', async (_which, id) => {
  const { id: _left, ...anonymous } = payload(1_000);
  const before = await inlet.db.collection('messages').countDocuments();
  const known = await collection('events').countDocuments();
  const answers = await Promise.all(
    [1, 2, 3].map(() => inlet.client.deliverPatiently(webhook.key, { ...anonymous, ...id })),
  );
  expect(answers.map(({ data }) => data.duplicate)).toEqual([false, false, false]);
  await ended(known + 3);
  // More than three when one was stored although it was answered with 503.
  const added = (await collection('events').countDocuments()) - known;
  expect(await inlet.db.collection('messages').countDocuments()).toBe(before + added);
});
