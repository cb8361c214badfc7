// Changes at the same time: none waits for a document of another, and what must not happen together still does not.
import { newId } from '../../../src/base/ids.ts';
import { maxTargets, type TargetRecord } from '../../../src/domain/notices/target.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { addAuditRow } from '../../../src/store/audit/audit.ts';
import { insertChannel, markChannelDeleted } from '../../../src/store/channels/channels.ts';
import { insertWebhook } from '../../../src/store/webhooks/webhooks.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('audit_concurrent');
});
afterAll(() => context.close());

const actor = { tokenId: 'test', name: 'Ana', address: '192.0.2.7' };
const rows = () => context.connection.collection('audit');
const many = <Result>(count: number, change: (n: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, n) => change(n)));

const addChannel = (name: string) =>
  insertChannel(context.stores, { name, kind: 'inbox', settings: {} }, actor);

const addWebhook = (n: number, channelId: string) =>
  insertWebhook(
    context.stores,
    {
      name: `Leads ${n}`,
      channelId,
      producerProfile: 'generic',
      keyHash: newId(),
      keyLastFour: 'abcd',
    },
    actor,
  );

test('200 changes at the same time leave 200 rows', async () => {
  const { _id } = await addChannel('Busy');
  const made = await many(200, (n) => addWebhook(n, _id));
  const ids = made.map((one) => (one.ok ? one.value._id : ''));
  const stored = await rows().distinct('target.id', { action: 'webhook.create' });
  expect(stored).toHaveLength(200);
  expect(new Set(stored)).toEqual(new Set(ids));
});

test('no document is written by two changes that have nothing in common', async () => {
  const session = context.connection.getClient().startSession();
  try {
    const { _id } = await addChannel('Open');
    // A transaction that stays open conflicts with each write to what it has written.
    session.startTransaction();
    const entry = { actor, action: 'label.create', target: { type: 'label', id: 'a' } } as const;
    await addAuditRow(context.stores, entry, session);
    expect((await addWebhook(0, _id)).ok).toBe(true);
    expect(await rows().countDocuments({ 'target.id': 'a' })).toBe(0);
    await session.commitTransaction();
    expect(await rows().countDocuments({ 'target.id': 'a' })).toBe(1);
  } finally {
    await session.endSession();
  }
});

test('a change that fails after its row leaves no row', async () => {
  const session = context.connection.getClient().startSession();
  const entry = { actor, action: 'label.create', target: { type: 'label', id: 'b' } } as const;
  const failing = session.withTransaction(async () => {
    await addAuditRow(context.stores, entry, session);
    throw new Error('after the row');
  });
  await expect(failing).rejects.toThrow('after the row');
  await session.endSession();
  expect(await rows().countDocuments({ 'target.id': 'b' })).toBe(0);
});

test('of a deletion and uses at the same time, none leaves a use of what is deleted', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { _id } = await addChannel(`Round ${round}`);
    const [removed, ...used] = await Promise.all([
      markChannelDeleted(context.stores, _id, actor),
      ...Array.from({ length: 6 }, (_, n) => addWebhook(n, _id)),
    ]);
    if (removed.ok) expect(used.filter(({ ok }) => ok)).toEqual([]);
    else expect(removed.reason).toBe('in_use');
  }
});

test('targets that are created at the same time are not more than the limit', async () => {
  const given = {
    name: 'Ops',
    kind: 'slack',
    webhookId: null,
    kinds: null,
    settings: {},
    language: 'en',
    quietHours: null,
    reminderHours: null,
    secrets: {},
  } as const;
  const create = () =>
    context.stores.noticeTargets.create({ _id: newId(), ...given } as never, actor);
  const first = (await create()) as TargetRecord;
  const targets = collectionOf<TargetRecord>(context.connection, 'notice_targets');
  await targets.insertMany(
    Array.from({ length: maxTargets - 2 }, () => ({ ...first, _id: newId() })),
  );
  const created = await many(5, create);
  expect(created.filter((one) => one !== null)).toHaveLength(1);
  expect(await targets.countDocuments()).toBe(maxTargets);
});

test('a contact without identities is copied to another channel once', async () => {
  const [from, to] = [await addChannel('From'), await addChannel('To')];
  const given = [{ channelId: from._id, set: { name: 'Ana' }, identities: [] }];
  const created = await context.stores.people.create(given, actor);
  if (!created.ok) throw new Error(created.reason);
  const [contact] = created.value;
  const copies = await many(6, () =>
    context.stores.people.counterpartIn(contact?._id ?? '', to._id, actor),
  );
  const ids = copies.map((one) => (one.ok ? one.value._id : one.reason));
  expect(new Set(ids).size).toBe(1);
});
