// The chain of the audit log: tampering in the database is detected, and Inlet's own changes keep it valid.
import { createAuditLog } from '../../../src/admin/audit-log.ts';
import type { AuditRow } from '../../../src/domain/audit/audit.ts';
import { detailsHashOf, rowHashOf } from '../../../src/domain/audit/audit-chain.ts';
import { collectionOf, inTransaction } from '../../../src/store/db/connection.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('audit_chain');
});
afterAll(() => context.close());

const actor = { tokenId: 'test', name: 'Ana', address: '192.0.2.7' };
const person = { type: 'contact', id: 'a-person' } as const;
const day = 86_400_000;
const rows = () => collectionOf<AuditRow>(context.connection, 'audit');
const ends = () => collectionOf<{ _id: string; seq: number }>(context.connection, 'audit_chain');
const audit = () => createAuditLog({ audit: context.stores.audit });
const verify = () => audit().verify();
const seqOf = async (where: object) => (await rows().findOne(where))?.seq;

const add = (after: Record<string, unknown>, over = {}) =>
  inTransaction(context.connection, (session) =>
    context.stores.audit.add(
      { actor, action: 'contact.change', target: person, before: null, after, ...over },
      session,
    ),
  );

async function addMany(count: number): Promise<AuditRow[]> {
  const added: AuditRow[] = [];
  for (let n = 1; n <= count; n += 1) added.push(await add({ n }));
  return added;
}

const clear = () => Promise.all([rows().deleteMany({}), ends().deleteMany({})]);
beforeEach(clear);

/** Tampers with a row, as with write access to the database. */
const set = (seq: number, change: object) => rows().updateOne({ seq }, { $set: change });

describe('a chain', () => {
  test('that is unchanged is valid, with any details', async () => {
    await addMany(3);
    await add({ 'a.b': { $c: ['\ud800', -0, 1e21, new Date(0), null, undefined] }, '\0': 'é' });
    const head = await context.stores.audit.head();
    const whole = { ok: true, checked: 4, redacted: 0, broken: null, anchor: null, head };
    expect(await verify()).toEqual({ ...whole, matches: null });
    expect(head?.seq).toBe(4);
  });

  test('that is empty is valid', async () => {
    expect(await verify()).toMatchObject({ ok: true, checked: 0, head: null });
  });

  test('records all concurrent changes in one order', async () => {
    const count = 24;
    const added = await Promise.all(Array.from({ length: count }, (_one, n) => add({ n })));
    const seqs = added.map(({ seq }) => seq).sort((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: count }, (_one, n) => n + 1));
    expect(await verify()).toMatchObject({ ok: true, checked: count });
  });

  test('continues from its last row when the stored head is lost', async () => {
    await addMany(2);
    await ends().deleteMany({});
    expect((await verify()).broken).toEqual({ seq: 2, reason: 'head_altered' });
    expect(await add({})).toMatchObject({ seq: 3 });
    expect(await verify()).toMatchObject({ ok: true, checked: 3 });
  });

  test('skips no number when a change fails after its row', async () => {
    await add({});
    const failing = inTransaction(context.connection, async (session) => {
      const entry = {
        actor,
        action: 'contact.change',
        target: person,
        before: null,
        after: {},
      } as const;
      await context.stores.audit.add(entry, session);
      throw new Error('after the row');
    });
    await expect(failing).rejects.toThrow('after the row');
    await add({});
    expect(await verify()).toMatchObject({ ok: true, checked: 2, head: { seq: 2 } });
  });
});

describe('tampering is detected:', () => {
  test.each([
    ['the time', { at: new Date(1) }, 'row_altered'],
    ['the token', { 'actor.tokenId': 'x' }, 'row_altered'],
    ['the name', { 'actor.name': 'Bea' }, 'row_altered'],
    ['the action', { action: 'test.other' }, 'row_altered'],
    ['the kind of target', { 'target.type': 'webhook' }, 'row_altered'],
    ['the target', { 'target.id': 'x' }, 'row_altered'],
    ['the values before', { before: {} }, 'details_altered'],
    ['what is after', { 'after.n': 7 }, 'details_altered'],
    ['the address', { address: '192.0.2.8' }, 'details_altered'],
    ['the salt', { salt: '00' }, 'details_altered'],
    ['the details’ hash', { detailsHash: '00' }, 'details_altered'],
    ['the hash', { hash: '00' }, 'row_altered'],
    [
      'a redaction that nothing tells of',
      {
        before: null,
        after: null,
        address: null,
        salt: null,
        redactedAt: new Date(),
        redactedBy: 3,
      },
      'redaction_unknown',
    ],
    ['a redaction that left the details', { redactedAt: new Date() }, 'details_altered'],
  ])('%s', async (_what, change, reason) => {
    await addMany(4);
    await set(2, change);
    expect(await verify()).toMatchObject({ ok: false, checked: 1, broken: { seq: 2, reason } });
  });

  test('a row with recomputed hashes, by the next row', async () => {
    const [first, second] = await addMany(3);
    const details = { before: null, after: { n: 7 }, address: null };
    const detailsHash = detailsHashOf(details, second?.salt ?? '');
    const forged = { ...(second as AuditRow), ...details, detailsHash };
    await set(2, { ...details, detailsHash, hash: rowHashOf(forged, first?.hash ?? '') });
    expect((await verify()).broken).toEqual({ seq: 3, reason: 'row_altered' });
  });

  test('a deleted row', async () => {
    await addMany(4);
    await rows().deleteOne({ seq: 3 });
    expect((await verify()).broken).toEqual({ seq: 3, reason: 'row_missing' });
  });

  test('a deleted first row', async () => {
    await addMany(2);
    await rows().deleteOne({ seq: 1 });
    expect((await verify()).broken).toEqual({ seq: 1, reason: 'row_missing' });
  });

  test('two exchanged rows', async () => {
    await addMany(4);
    await set(2, { seq: 100 });
    await set(3, { seq: 2 });
    await set(100, { seq: 3 });
    expect((await verify()).broken).toEqual({ seq: 2, reason: 'row_altered' });
  });

  test.each([
    ['between two numbers', 2.5, { seq: 2.5, reason: 'row_repeated' }],
    ['at the end', 4, { seq: 4, reason: 'row_altered' }],
    ['without a number', undefined, { seq: 3, reason: 'row_unchained' }],
  ])('a row inserted %s', async (_where, seq, broken) => {
    const [one] = await addMany(3);
    const { seq: _seq, ...copy } = one as AuditRow;
    await rows().insertOne({ ...copy, _id: 'put-in', ...(seq && { seq }) } as AuditRow);
    expect((await verify()).broken).toEqual(broken);
  });

  test('a truncated end, by the head', async () => {
    await addMany(4);
    await rows().deleteMany({ seq: { $gte: 3 } });
    expect((await verify()).broken).toEqual({ seq: 3, reason: 'end_missing' });
  });

  test('an end that was truncated with its head, by a head stored elsewhere', async () => {
    const added = await addMany(4);
    const kept = added.at(-1) as AuditRow;
    expect(await audit().verify(kept)).toMatchObject({ ok: true, matches: true });
    await rows().deleteMany({ seq: { $gte: 3 } });
    await ends().updateOne({ _id: 'head' }, { $set: { seq: 2, hash: added[1]?.hash } as object });
    expect(await verify()).toMatchObject({ ok: true, checked: 2 });
    expect(await audit().verify(kept)).toMatchObject({
      ok: false,
      matches: false,
      broken: { seq: 4, reason: 'head_differs' },
    });
  });
});

describe('redaction', () => {
  test('erases personal data from rows, records the erasure, and keeps the chain valid', async () => {
    await add({ phone: '+5511999990001' });
    await add({ filter: { externalId: ['LEAD-4711'] } }, { target: { type: 'run', id: 'r' } });
    await add({ n: 1 }, { target: { type: 'webhook', id: 'w' } });
    const redaction = {
      targets: [person],
      mentions: ['lead-4711', 'w'],
      about: person,
      actor,
    } as const;
    expect(await context.stores.audit.redact(redaction)).toBe(2);
    expect(await context.stores.audit.redact(redaction)).toBe(0);
    const stored = JSON.stringify(await rows().find().toArray());
    expect(stored).not.toMatch(/5511999990001|LEAD-4711/);
    const emptied = { before: null, after: null, address: null, salt: null, redactedBy: 5 };
    expect(await rows().findOne({ seq: 1 })).toMatchObject({ ...emptied, redactedBy: 4 });
    expect(await rows().findOne({ seq: 3 })).toMatchObject({ after: { n: 1 }, redactedAt: null });
    expect(await verify()).toMatchObject({ ok: true, checked: 5, redacted: 2 });
  });

  test('continues after an interruption', async () => {
    await addMany(3);
    const one = { targets: [person], about: person, actor };
    await rows().updateOne({ seq: 3 }, { $set: { 'target.id': 'hidden' } });
    expect(await context.stores.audit.redact(one)).toBe(2);
    await rows().updateOne({ seq: 3 }, { $set: { 'target.id': person.id } });
    expect(await context.stores.audit.redact(one)).toBe(1);
    expect(await verify()).toMatchObject({ ok: true, redacted: 3, checked: 5 });
  });
});

describe('retention', () => {
  const at = (seq: number, date: number) => set(seq, { at: new Date(date) });
  /** Rows of three days, chained again so that the chain is valid. */
  async function addDays() {
    await addMany(5);
    await at(1, 0.5 * day);
    await at(2, 1.5 * day);
    await at(3, 1.6 * day);
    await at(4, 2.5 * day);
    await at(5, 2.6 * day);
    let previous = (await import('../../../src/domain/audit/audit-chain.ts')).chainStart.hash;
    for (const row of await rows().find().sort({ seq: 1 }).toArray()) {
      previous = rowHashOf(row, previous);
      await set(row.seq, { hash: previous });
    }
    await ends().updateOne({ _id: 'head' }, { $set: { hash: previous } as object });
  }

  test('deletes whole days from the start of the chain, which stays valid', async () => {
    await addDays();
    const kept = (await rows().findOne({ seq: 3 })) as AuditRow;
    const deleteOldest = () => context.stores.audit.deleteBefore(new Date(2.55 * day));
    expect(await deleteOldest()).toEqual({ deleted: 3, hasMore: false });
    expect(await deleteOldest()).toEqual({ deleted: 0, hasMore: false });
    expect(await seqOf({ action: 'audit.forget' })).toBe(6);
    const anchor = { seq: 3, hash: kept.hash };
    expect(await verify()).toMatchObject({ ok: true, checked: 3, anchor });
    expect(await audit().verify(kept)).toMatchObject({ ok: true, matches: true });
    const earlier = { seq: 2, hash: kept.hash };
    expect(await audit().verify(earlier)).toMatchObject({ ok: true, matches: null });
  });

  test('cannot be forged: an anchor without its row is detected', async () => {
    const added = await addMany(4);
    await rows().deleteMany({ seq: { $lte: 2 } });
    const hash = added[1]?.hash;
    await ends().insertOne({ _id: 'anchor', seq: 2, hash, by: 4 } as never);
    expect((await verify()).broken).toEqual({ seq: 2, reason: 'anchor_altered' });
  });

  test('a deletion during a verification does not break the chain', async () => {
    await addDays();
    let isForgotten = false;
    const { audit: store } = context.stores;
    const auditWithDeletion = createAuditLog({
      audit: {
        ...store,
        async rowsAfter(seq) {
          if (!isForgotten) await store.deleteBefore(new Date(2.55 * day));
          isForgotten = true;
          return store.rowsAfter(seq);
        },
      },
    });
    expect(await auditWithDeletion.verify()).toMatchObject({
      ok: true,
      checked: 3,
      anchor: { seq: 3 },
    });
  });
});

test('while retention deletes rows, no verification reports a break', async () => {
  let seq = 1;
  const moving = createAuditLog({
    audit: {
      ...context.stores.audit,
      anchor: () => Promise.resolve({ seq: (seq += 1), hash: 'of a row that is gone', by: 0 }),
    },
  });
  await expect(moving.verify()).rejects.toMatchObject({ code: 'unavailable' });
});

test('a verification ends when its client has left', async () => {
  await addMany(3);
  const client = new AbortController();
  let reads = 0;
  const left = createAuditLog({
    audit: {
      ...context.stores.audit,
      rowsAfter(seq) {
        reads += 1;
        client.abort();
        return context.stores.audit.rowsAfter(seq);
      },
    },
  });
  await expect(left.verify(undefined, client.signal)).rejects.toMatchObject({
    code: 'request_timeout',
  });
  expect(reads).toBe(1);
});

test('a break behind the rows that retention deletes is reported', async () => {
  await addMany(3);
  await set(3, { action: 'webhook.change' });
  const deleted = { seq: 1, hash: 'of the first row', by: 0 };
  let reads = 0;
  const moving = createAuditLog({
    audit: {
      ...context.stores.audit,
      anchor: () => Promise.resolve((reads += 1) === 1 ? null : deleted),
    },
  });
  expect((await moving.verify()).broken).toEqual({ seq: 3, reason: 'row_altered' });
});

test('a row without a number is reported as outside the chain', async () => {
  await add({});
  const unchained = {
    _id: 'unchained',
    at: new Date(3 * day),
    actor: { tokenId: 'test', name: 'Ana' },
    action: 'contact.change',
    target: { type: 'run', id: 'r' },
    before: null,
    after: { from: new Date(3) },
  };
  await rows().insertOne(unchained as unknown as AuditRow);
  expect((await verify()).broken?.reason).toBe('row_unchained');
});
