// What erasures and retention do to audit rows.
import type { AuditRow } from '../../../src/domain/audit/audit.ts';
import { inTransaction } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import {
  getAuditRow,
  addAuditRow,
  redactAuditRows,
  deleteAuditRowsBefore,
  listAuditRows,
} from '../../../src/store/audit/audit.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('audit_redaction');
});
afterAll(() => context.close());
beforeEach(() => rows().deleteMany({}));

const actor = { tokenId: 'test', name: 'Ana', address: '192.0.2.7' };
const person = { type: 'contact', id: 'a-person' } as const;
const dayMs = 86_400_000;
const rows = () => collectionOf<AuditRow>(context.connection, 'audit');
const get = async (id: string) => getAuditRow(context.stores, id);

const add = async (after: Record<string, unknown>, over = {}): Promise<string> => {
  const entry = { actor, action: 'contact.change', target: person, after, ...over } as const;
  const row = await inTransaction(context.connection, (session) =>
    addAuditRow(context.stores, entry, session),
  );
  return row._id;
};

test('a row keeps any details', async () => {
  const id = await add({
    'a.b': { $c: ['\ud800', 1e21, new Date(0), null, undefined] },
    '\0': 'é',
  });
  expect((await get(id))?.after).toEqual({
    'a.b': { $c: ['\ufffd', 1e21, '1970-01-01T00:00:00.000Z', null, null] },
    '': 'é',
  });
});

test('an erasure redacts the rows about and with the person, and leaves a row', async () => {
  const own = await add({ phone: '+5511999990001' });
  const run = { target: { type: 'run', id: 'r' } };
  await add({ filter: { externalId: ['LEAD-4711'] } }, run);
  const other = await add({ n: 1 }, { target: { type: 'webhook', id: 'w' } });
  const redaction = { targets: [person], mentions: ['lead-4711', 'w'], about: person, actor };
  expect(await redactAuditRows(context.stores, redaction)).toBe(2);
  expect(await redactAuditRows(context.stores, redaction)).toBe(0);
  expect(JSON.stringify(await rows().find().toArray())).not.toMatch(/5511999990001|LEAD-4711/);
  expect(await get(own)).toMatchObject({
    actor: { name: 'Ana' },
    before: null,
    after: null,
    address: null,
    redactedAt: expect.any(Date),
  });
  expect(await get(other)).toMatchObject({ after: { n: 1 }, redactedAt: null });
  const records = await rows().find({ action: 'audit.redact' }).sort({ _id: 1 }).toArray();
  expect(records.map(({ target, after }) => [target, after])).toEqual([
    [person, { rows: 1 }],
    [person, { rows: 1 }],
  ]);
});

test('retention deletes whole days, and leaves a row', async () => {
  const days = [0.5, 1.5, 1.6, 2.5, 2.6];
  const ids: string[] = [];
  for (const day of days) {
    const id = await add({ day });
    await rows().updateOne({ _id: id }, { $set: { at: new Date(day * dayMs) } });
    ids.push(id);
  }
  const deleteOldest = () => deleteAuditRowsBefore(context.stores, new Date(2.55 * dayMs));
  expect(await deleteOldest()).toEqual({ count: 3, isMore: false });
  expect(await deleteOldest()).toEqual({ count: 0, isMore: false });
  const left = await rows().find().sort({ _id: 1 }).toArray();
  expect(left.map(({ _id, action }) => [action, ids.indexOf(_id)])).toEqual([
    ['contact.change', 3],
    ['contact.change', 4],
    ['audit.forget', -1],
  ]);
  expect(left.at(-1)?.after).toEqual({ rows: 3, before: '1970-01-03T00:00:00.000Z' });
});

test('pages of rows of one time have each row once', async () => {
  for (let n = 0; n < 7; n += 1) await add({ n });
  await rows().updateMany({}, { $set: { at: new Date(0) } });
  const seen: string[] = [];
  for (let skip = 0; skip < 7; skip += 2) {
    const page = { skip, limit: 2, sort: { at: -1 } } as const;
    const { results } = await listAuditRows(context.stores, {}, page);
    seen.push(...results.map(({ _id }) => _id));
  }
  expect(seen).toEqual((await rows().find().sort({ _id: -1 }).toArray()).map(({ _id }) => _id));
});
