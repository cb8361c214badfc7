// The MongoDB commands of a set: its transaction reads one snapshot and waits for a majority's journal, a contact is written only when
// it changes, and the number of statements does not depend on the size of the set.
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { type Connection, connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

type Command = {
  readonly name: string;
  readonly collection: unknown;
  readonly writeConcern?: { readonly w?: unknown; readonly j?: unknown };
  readonly readConcern?: { readonly level?: unknown };
  /** The statements of an update command. */
  readonly updates?: readonly { readonly hint?: unknown }[];
  readonly hint?: unknown;
  /** False within a transaction. */
  readonly autocommit?: boolean;
  readonly startTransaction?: boolean;
};

let context: TestContext;
let watching: Connection;
const commands: Command[] = [];
beforeAll(async () => {
  context = await createTestContext('concerns');
  watching = await connectMongo(`${context.url}&monitorCommands=true`);
  watching.getClient().on('commandStarted', ({ commandName: name, command }) => {
    commands.push({ ...command, name, collection: command[name] });
  });
});
afterAll(async () => {
  await watching.close();
  await context.close();
});
beforeEach(() => context.clear());

/** Processes the events and returns the commands that MongoDB received. */
async function watch(ids: readonly string[]): Promise<readonly Command[]> {
  commands.length = 0;
  await context.newProcessing({ stores: createStores(watching) })(ids);
  return [...commands];
}

const writes = ['insert', 'update', 'delete', 'findAndModify'];
const reads = ['find', 'aggregate', 'distinct', 'count'];

/** A worker reads these once in some seconds. */
const definitions = new Set(['webhooks', 'channels', 'mappings']);

const phone = '+55 11 90000-0001';
const email = 'ana@example.com';
const lead = (id: string, person: object, at = '2026-01-06T12:00:00Z') => ({
  id,
  at,
  text: `hello ${id}`,
  lead: { name: 'Ana', ...person },
  label: `Label ${id}`,
  sector: 'Vendas',
});

test('a set reads one snapshot and is committed to the journals of a majority; only its lease is less', async () => {
  const webhook = await context.addWebhook();
  const batches = await context.addWebhook({ ...leadMapping, split: 'items' }, webhook.channelId);
  const first = [
    await context.send(webhook, lead('phone', { phone })),
    await context.send(webhook, lead('email', { email })),
    await context.send(batches, { items: [lead('item', { phone })] }),
  ];
  const seen = [...(await watch(first))];
  // A bridge.
  const bridge = await context.send(webhook, lead('both', { phone, email }));
  seen.push(...(await watch([bridge])));

  const inside = seen.filter(({ autocommit }) => autocommit === false);
  const touched = new Set(
    inside.filter(({ name }) => writes.includes(name)).map(({ collection }) => String(collection)),
  );
  const effects = ['events', 'identities', 'contacts', 'conflicts', 'chats', 'messages'];
  expect([...touched].toSorted()).toEqual([...effects, 'sets'].toSorted());
  const commits = inside.filter(({ name }) => name === 'commitTransaction');
  const begins = inside.filter(({ startTransaction }) => startTransaction);
  expect(commits).toHaveLength(begins.length);
  for (const { writeConcern } of commits)
    expect(writeConcern).toMatchObject({ w: 'majority', j: true });
  for (const { name, collection, readConcern } of begins) {
    // The set is changed before anything is read; a body that is split is locked before that.
    expect(['sets', 'events']).toContain(collection);
    expect(readConcern?.level).toBe('snapshot');
    expect(writes).toContain(name);
  }

  const outside = seen.filter(({ autocommit }) => autocommit !== false);
  const asked = (names: readonly string[]) => outside.filter(({ name }) => names.includes(name));
  const isLease = ({ collection }: Command) => collection === 'sets';
  expect(asked(writes).filter((command) => !isLease(command)).length).toBeGreaterThan(0);
  for (const command of asked(writes)) {
    const concern = isLease(command) ? { w: 1 } : { w: 'majority', j: true };
    expect(command).toMatchObject({ writeConcern: concern });
  }
  expect(asked(reads).length).toBeGreaterThan(5);
  for (const command of asked(reads)) {
    const { name, collection, readConcern } = command;
    const level = isLease(command) ? 'local' : 'majority';
    expect([name, collection, readConcern?.level]).toEqual([name, collection, level]);
  }
});

test('an event without new values for its person writes no contact', async () => {
  const webhook = await context.addWebhook();
  await context.processEvents([await context.send(webhook, lead('e1', { phone }))]);
  const older = await context.send(webhook, lead('e2', { phone }, '2025-01-01T00:00:00Z'));
  const seen = await watch([older]);
  const changed = seen.filter(({ name }) => writes.includes(name));
  expect(changed.map(({ collection }) => collection)).toContain('messages');
  expect(changed.map(({ collection }) => collection)).not.toContain('contacts');
});

test('a set of any size is one statement for each step: eleven for new people, twelve for returning ones', async () => {
  const webhook = await context.addWebhook();
  const sendSet = (size: number, name: string, at: string) =>
    Promise.all(
      Array.from({ length: size }, (_, n) => {
        const person = { name, phone: `+55 11 9${80_000_000 + n}` };
        return context.send(webhook, { id: `${name}-${n}`, at, text: 'hello', lead: person });
      }),
    );
  const commandsOf = async (ids: readonly string[]) =>
    (await watch(ids))
      .filter(({ collection }) => !definitions.has(String(collection)))
      .map(({ name, collection }) => `${name} ${String(collection)}`)
      .toSorted();
  const forNew = [
    'commitTransaction 1',
    'delete sets',
    'find events',
    'find identities',
    'find sets',
    'insert chats',
    'insert contacts',
    'insert identities',
    'insert messages',
    'insert sets',
    'update events',
  ];
  expect(await commandsOf(await sendSet(1, 'one', '2026-01-05T12:00:00Z'))).toEqual(forNew);
  await context.clear();
  expect(await commandsOf(await sendSet(7, 'new', '2026-01-06T12:00:00Z'))).toEqual(forNew);
  const forReturning = [
    'commitTransaction 1',
    'delete sets',
    'find chats',
    'find contacts',
    'find events',
    'find identities',
    'find sets',
    'insert messages',
    'insert sets',
    'update chats',
    'update contacts',
    'update events',
  ];
  expect(await commandsOf(await sendSet(3, 'three', '2026-01-07T12:00:00Z'))).toEqual(forReturning);
  expect(await commandsOf(await sendSet(7, 'seven', '2026-01-08T12:00:00Z'))).toEqual(forReturning);
  const contacts = collectionOf<ContactRecord>(context.connection, 'contacts');
  expect(await contacts.distinct('registers.name.value')).toEqual(['seven']);
});

test('the events of a set are found by their ids alone, also when their attempts differ', async () => {
  const webhook = await context.addWebhook();
  const ids = [
    await context.send(webhook, lead('e1', { phone })),
    await context.send(webhook, lead('e2', { email })),
  ];
  const events = collectionOf<EventRecord>(context.connection, 'events');
  await events.updateOne({ _id: ids[0] }, { $set: { state: 'waiting', fence: 3, attempts: 1 } });
  const seen = (await watch(ids)).filter(({ collection }) => collection === 'events');
  const hints = seen.flatMap(({ hint, updates }) => updates?.map((one) => one.hint) ?? [hint]);
  expect(hints).toEqual(['_id_', '_id_', '_id_']);
  const done = await events.find({}, { sort: { attempts: 1 } }).toArray();
  expect(done).toMatchObject([
    { state: 'done', fence: 1, attempts: 1 },
    { state: 'done', fence: 4, attempts: 2 },
  ]);
});

test('contacts of two webhooks with different fields are changed by a statement for each', async () => {
  const fields = (name: string) => ({
    ...leadMapping,
    contact: { ...leadMapping.contact, fields: { [name]: { path: 'lead.value' } } },
  });
  const one = await context.addWebhook(fields('plan'));
  const other = await context.addWebhook(fields('city'), one.channelId);
  const visit = (webhook: typeof one, value: string, at: string) => {
    const phone = `+55 11 9${webhook === one ? 80_000_001 : 80_000_002}`;
    return context.send(webhook, {
      id: `${value} ${at}`,
      at,
      text: 'hello',
      lead: { phone, value },
    });
  };
  const early = '2026-01-06T12:00:00Z';
  await watch([await visit(one, '$basic', early), await visit(other, 'Olinda', early)]);
  const late = '2026-01-07T12:00:00Z';
  const seen = await watch([await visit(one, '$gold', late), await visit(other, 'Recife', late)]);
  expect(
    seen.filter(({ collection, updates }) => updates && collection === 'contacts'),
  ).toHaveLength(2);
  const contacts = await collectionOf<ContactRecord>(context.connection, 'contacts')
    .find()
    .toArray();
  const values = contacts.map(({ registers }) =>
    Object.values(registers)
      .map(({ value }) => value)
      .toSorted()
      .join(),
  );
  expect(values.toSorted()).toEqual(['$gold,+5511980000001', '+5511980000002,Recife'].toSorted());
});
