import { createStores } from '../../../src/store/stores.ts';
import { newId, sha256 } from '../../../src/base/ids.ts';
import type { Sample, Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { auditIndexes } from '../../../src/store/audit/audit.ts';
import { channelIndexes } from '../../../src/store/channels/channels.ts';
import { type Connection, connectMongo, type Db } from '../../../src/store/db/connection.ts';
import { migrate } from '../../../src/store/db/migrate.ts';
import { keyIndexes } from '../../../src/store/webhooks/keys.ts';
import {
  mappingIndexes,
  getMapping,
  getMappings,
  insertMapping,
} from '../../../src/store/webhooks/mappings.ts';
import { sampleIndexes } from '../../../src/store/samples/samples.ts';
import { tokenIndexes } from '../../../src/store/access/tokens.ts';
import {
  webhookIndexes,
  findWebhooksByKeyHashes,
  getWebhook,
  insertWebhook,
  listChangedWebhooks,
  markWebhookArchived,
  markWebhookPaused,
  markWebhookResumed,
  markWebhookSampled,
  updateWebhook,
} from '../../../src/store/webhooks/webhooks.ts';
import { aChannel } from '../../support/context/builders.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';

const actor = { tokenId: newId(), name: 'Ana' };
const hour = 3_600_000;
let connection: Connection;

beforeAll(async () => {
  connection = await connectMongo(process.env['MONGODB_URL'] ?? '');
  connection = connection.useDb(`inlet_test_store_${process.pid}`);
  await migrate(connection, [
    ...auditIndexes,
    ...channelIndexes,
    ...keyIndexes,
    ...mappingIndexes,
    ...sampleIndexes,
    ...tokenIndexes,
    ...webhookIndexes,
  ]);
  channelId = await aChannel({ stores: createStores(connection) });
});

afterAll(async () => {
  await connection.dropDatabase();
  await connection.getClient().close();
});

let channelId: string;
let webhook: Webhook;
let key: string;
const db = (): Db => ({ connection, clock: systemClock });

async function newWebhook(): Promise<Webhook> {
  key = newId();
  const created = await insertWebhook(
    db(),
    {
      name: '$literal name',
      channelId,
      producerProfile: 'generic',
      keyHash: sha256(key),
      keyLastFour: key.slice(-4),
    },
    actor,
  );
  return valueOf(created);
}

const rowsOf = (id: string) =>
  connection.collection('audit').find({ 'target.id': id }).sort({ _id: 1 }).toArray();

beforeEach(async () => {
  webhook = await newWebhook();
});

describe('a webhook’s key', () => {
  test('finds its webhook, archived ones too', async () => {
    await markWebhookArchived(db(), webhook._id, actor);
    const found = await findWebhooksByKeyHashes(db(), [sha256(key), 'other'], new Date());
    expect([...found.keys()]).toEqual([sha256(key)]);
    expect(found.get(sha256(key))?.webhook).toMatchObject({ _id: webhook._id, status: 'archived' });
  });

  test.each([
    ['revoked', { revokedAt: new Date() }],
    ['expired', { expiresAt: new Date(Date.now() - 1) }],
  ])('finds nothing once it is %s', async (_state, change) => {
    await connection.collection('keys').updateOne({ hash: sha256(key) }, { $set: change });
    expect((await findWebhooksByKeyHashes(db(), [sha256(key)], new Date())).size).toBe(0);
  });
});

describe('a webhook’s set-up', () => {
  test('goes from draft to sampled to mapped', async () => {
    await markWebhookSampled(db(), webhook._id);
    expect(await getWebhook(db(), webhook._id)).toMatchObject({ status: 'sampled' });
    await insertMapping(db(), { webhookId: webhook._id, mapping: {} }, actor);
    expect(await getWebhook(db(), webhook._id)).toMatchObject({ status: 'mapped' });
  });

  test('becomes mapped with the first sample when a mapping was saved before', async () => {
    await insertMapping(db(), { webhookId: webhook._id, mapping: {} }, actor);
    expect(await getWebhook(db(), webhook._id)).toMatchObject({ status: 'draft' });
    await markWebhookSampled(db(), webhook._id);
    expect(await getWebhook(db(), webhook._id)).toMatchObject({ status: 'mapped' });
  });

  test('numbers versions without gaps when many are saved at once', async () => {
    const saved = await Promise.all(
      Array.from({ length: 8 }, () =>
        insertMapping(db(), { webhookId: webhook._id, mapping: {} }, actor),
      ),
    );
    expect(new Set(saved.map((one) => valueOf(one).version))).toEqual(
      new Set([1, 2, 3, 4, 5, 6, 7, 8]),
    );
  });

  test('returns a mapping unchanged, dots and dollars included', async () => {
    const mapping = { contact: { fields: { 'a.b': { path: '$x' }, $c: { const: '$$NOW' } } } };
    await insertMapping(db(), { webhookId: webhook._id, mapping }, actor);
    expect((await getMapping(db(), webhook._id, 1))?.mapping).toEqual(mapping);
  });
});

describe('activation', () => {
  beforeEach(async () => {
    await markWebhookSampled(db(), webhook._id);
    await insertMapping(db(), { webhookId: webhook._id, mapping: {} }, actor);
    await insertMapping(db(), { webhookId: webhook._id, mapping: {} }, actor);
  });
  const activate = (version: number, previous: number | null, overlapMs = 0) =>
    activateWebhook(db(), webhook._id, { version, previous, overlapMs, actor });

  test('makes the webhook and the version active and retires the version before', async () => {
    await activate(1, null);
    const after = valueOf(await activate(2, 1));
    expect(after).toMatchObject({ status: 'active', activeVersion: 2, overlaps: [] });
    const versions = await getMappings(db(), [
      { webhookId: webhook._id, version: 1 },
      { webhookId: webhook._id, version: 2 },
    ]);
    expect(new Map(versions.map(({ version, status }) => [version, status]))).toEqual(
      new Map([
        [1, 'retired'],
        [2, 'active'],
      ]),
    );
    expect((await rowsOf(webhook._id)).map(({ action }) => String(action))).toEqual([
      'webhook.create',
      'mapping.create',
      'mapping.create',
      'webhook.activate',
      'webhook.activate',
    ]);
  });

  test('keeps the recipe of the version before for its grace period, and drops expired recipes', async () => {
    await activate(1, null);
    const second = valueOf(await activate(2, 1, 72 * hour));
    expect(second.overlaps.map(({ version }) => version)).toEqual([1]);
    const until = second.overlaps[0]?.until.getTime() ?? 0;
    expect(Math.abs(until - Date.now() - 72 * hour)).toBeLessThan(60_000);
    const back = valueOf(await activate(1, 2, 1));
    expect(back.overlaps.map(({ version }) => version)).toEqual([2]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(valueOf(await activate(1, 1, hour)).overlaps).toEqual([]);
  });

  test('does nothing when another version became active in between', async () => {
    await activate(1, null);
    expect(await activate(2, null)).toMatchObject({ ok: false, reason: 'invalid_state' });
    expect(await getWebhook(db(), webhook._id)).toMatchObject({ activeVersion: 1 });
    expect((await getMapping(db(), webhook._id, 2))?.status).toBe('draft');
  });

  test('leaves a paused webhook paused', async () => {
    await activate(1, null);
    await markWebhookPaused(db(), webhook._id, actor);
    expect(valueOf(await activate(2, 1))).toMatchObject({ status: 'paused', activeVersion: 2 });
  });

  test('is reported as a change to the receiver', async () => {
    const before = (await getWebhook(db(), webhook._id))?.changedAt ?? new Date(0);
    await activate(1, null);
    const [latest] = await listChangedWebhooks(db(), before, 1);
    expect(latest?.id).toBe(webhook._id);
    expect(latest?.changedAt.getTime()).toBeGreaterThan(+before);
  });
});

describe('transitions', () => {
  test('that the state does not allow change nothing and write no audit row', async () => {
    const forbidden = { ok: false, reason: 'invalid_state', status: 'draft' };
    expect(await markWebhookPaused(db(), webhook._id, actor)).toEqual(forbidden);
    expect(await markWebhookResumed(db(), webhook._id, actor)).toEqual(forbidden);
    expect(await rowsOf(webhook._id)).toHaveLength(1);
  });

  test('a name that looks like an expression is stored as text', async () => {
    const renamed = await updateWebhook(
      db(),
      { id: webhook._id, given: { name: '$status' } },
      actor,
    );
    expect(valueOf(renamed).name).toBe('$status');
  });

  test('an archived webhook accepts no new mapping and no new name', async () => {
    await markWebhookArchived(db(), webhook._id, actor);
    expect(await insertMapping(db(), { webhookId: webhook._id, mapping: {} }, actor)).toEqual({
      ok: false,
      reason: 'archived',
    });
    expect(
      await updateWebhook(db(), { id: webhook._id, given: { name: 'x' } }, actor),
    ).toMatchObject({
      reason: 'invalid_state',
      status: 'archived',
    });
  });
});

describe('samples', () => {
  test('keep the newest 200, with names that no database key may have', async () => {
    const { samples } = createStores(connection);
    const sampleAt = (seconds: number) => ({
      _id: newId(),
      webhookId: webhook._id,
      receivedAt: new Date(seconds * 1_000),
      source: 'webhook' as const,
      contentType: 'application/json',
      headers: { 'x.$\0': 'v' },
      query: {},
      body: Buffer.from('{"a":1}'),
    });
    const seconds = Array.from({ length: 202 }, (_, index) => index + 1);
    while (seconds.length > 0) {
      const together = seconds.splice(0, 20);
      await Promise.all(together.map((second) => samples.add(sampleAt(second))));
    }
    const all: Sample[] = [];
    for await (const sample of samples.each(webhook._id)) all.push(sample);
    expect(all).toHaveLength(200);
    expect(all[0]).toMatchObject({ receivedAt: new Date(3_000), headers: { 'x.$\0': 'v' } });
    expect(all[0]?.body.equals(Buffer.from('{"a":1}'))).toBe(true);
  });
});

describe('the first token', () => {
  test('is created by exactly one of many concurrent requests', async () => {
    const { tokens } = createStores(connection);
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        tokens.createFirst({ name: 'first', hash: `${index}` }),
      ),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
  });
});
