// What targets are sent: a signed webhook, a Slack-compatible webhook and a mail, and what becomes of a target that fails.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import {
  actor,
  createNoticeContext,
  publicUrl,
  sentTo,
  type NoticeContext,
} from '../../support/context/notices.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { retryDelivery } from '../../../src/api/channels/deliveries.ts';
import { removeTarget, retryDeliveriesOf, testTarget } from '../../../src/api/notices/targets.ts';
import { AppError } from '../../../src/base/errors.ts';
import { defaultMaxAttempts } from '../../../src/domain/webhooks/retries.ts';
import { newDelivery } from '../../../src/domain/messages/delivery.ts';
import { respondWith } from '../../support/services/destination.ts';
import { startMailServer } from '../../support/services/mail-server.ts';

let it: NoticeContext;
beforeAll(async () => {
  it = await createNoticeContext('notice_targets');
});
afterEach(() => it.reset());
afterAll(() => it.close());

test('the signature of a webhook is verified by the library of Standard Webhooks', async () => {
  const signingSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const { _id } = await it.addTarget({ settings: { url: it.destination.url, signingSecret } });
  const stored = await it.stores.noticeTargets.get(_id);
  expect(JSON.stringify(stored)).not.toContain(signingSecret);
  it.deliver();
  await it.die();
  await it.evaluate();
  await it.arrived(1);
  const [post] = it.destination.posts;
  const verifier = new StandardWebhook(signingSecret);
  const headers = post?.headers as Record<string, string>;
  expect(() => verifier.verify(JSON.stringify(post?.body), headers)).not.toThrow();
  expect(() => verifier.verify(`${JSON.stringify(post?.body)} `, headers)).toThrow(
    'No matching signature found',
  );
});

test('a Slack-compatible webhook gets one text with a line for each notice, in the language of the target', async () => {
  await it.addTarget({ kind: 'slack', settings: { url: it.destination.url }, language: 'pt-BR' });
  it.deliver();
  await it.die();
  await it.evaluate();
  await waitForValue('the text', () => it.destination.posts[0]);
  const { text, ...others } = sentTo<{ text: string }>(it.destination)[0] ?? { text: '' };
  expect(others).toEqual({});
  expect(text).toContain('Novo: Leads: eventos falham com o motivo contact_unidentified');
  expect(text).toContain(`<${publicUrl}/dead-letters?webhookId=${it.webhook._id}>`);
});

test('a mail arrives at a real mail server', async () => {
  const server = await startMailServer();
  const settings = {
    to: 'ana@example.com',
    host: '127.0.0.1',
    port: server.port,
    security: 'none',
    from: 'inlet@example.com',
  };
  await it.addTarget({ kind: 'email', settings, language: 'es' });
  it.deliver();
  await it.die();
  await it.evaluate();
  const mail = await waitForValue('the mail', () => server.mails[0]);
  expect(mail).toMatchObject({ from: 'inlet@example.com', to: ['ana@example.com'] });
  expect(mail.source).toContain('Subject: Nuevo: Leads: fallan eventos');
  // No program may answer it.
  expect(mail.source).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mail.source).not.toContain('secret content');
  await server.close();
});

test('a target that fails is retried, and its delivery becomes a dead letter', async () => {
  await it.addTarget();
  it.destination.answerWith(respondWith(410));
  it.deliver();
  await it.die();
  await it.evaluate();
  const { noticeDeliveries } = it.stores;
  const page = { skip: 0, limit: 10, sort: { createdAt: -1 } } as const;
  const dead = await waitForValue('a dead delivery', async () => {
    const { results } = await noticeDeliveries.list({ state: ['dead'] }, page);
    return results[0];
  });
  expect(dead.delivery).toMatchObject({ reason: 'destination_rejected:410', attempts: 1 });
});

test('a dead delivery is retried with all its attempts, under the same id, and with an audit row', async () => {
  const target = await it.addTarget();
  it.destination.answerWith(respondWith(410));
  it.deliver();
  await it.die();
  await it.evaluate();
  const dead = async () => {
    const ids = await it.stores.noticeDeliveries.findDead(target._id, 10);
    return ids.length > 0 ? ids : undefined;
  };
  const [id = ''] = await waitForValue('a dead delivery', dead);
  await waitForValue('a refusal', () => it.destination.posts[0]);
  it.destination.answerWith(respondWith(200));
  const { noticeDeliveries } = it.stores;
  expect((await retryDelivery(noticeDeliveries, id, actor)).delivery).toMatchObject({
    state: 'waiting',
    attempts: 0,
    reason: null,
  });
  await waitForValue('the delivery', async () =>
    (await noticeDeliveries.get(id))?.delivery.state === 'delivered' ? true : undefined,
  );
  expect(new Set(it.destination.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await expect(retryDelivery(noticeDeliveries, id, actor)).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  await expect(retryDelivery(noticeDeliveries, 'none', actor)).rejects.toMatchObject({
    code: 'not_found',
  });
  const rows = await it.connection.collection('audit').find({ action: 'delivery.retry' }).toArray();
  expect(rows).toMatchObject([
    {
      target: { type: 'delivery', id },
      before: { state: 'dead', reason: 'destination_rejected:410', noticeTargetId: target._id },
      after: { state: 'waiting', attempts: 0 },
    },
  ]);
});

test('all dead deliveries of a target are retried, a bounded number at a time, and those of others stay', async () => {
  const [one, other] = [await it.addTarget(), await it.addTarget({ name: 'Other' })];
  const documents = Array.from({ length: 103 }, (_value, n) => ({
    _id: `d${n}`,
    channelId: n < 102 ? one._id : other._id,
    createdAt: new Date(Date.now() - n * 1_000),
    entries: [],
    more: 0,
    isReminder: false,
    delivery: { ...newDelivery(), state: 'dead', attempts: 9, fence: 9, finishedAt: new Date() },
  }));
  for (const { delivery } of documents) delete (delivery as { open?: unknown }).open;
  await it.connection.collection('notice_deliveries').insertMany(documents as never);
  expect(await retryDeliveriesOf(it.api, one._id, actor)).toEqual({ retried: 100, more: true });
  expect(await it.stores.noticeDeliveries.findDead(one._id, 10)).toEqual(['d1', 'd0']);
  const both = await Promise.all([
    retryDeliveriesOf(it.api, one._id, actor),
    retryDeliveriesOf(it.api, one._id, actor),
  ]);
  expect(both.reduce((sum, { retried }) => sum + retried, 0)).toBe(2);
  expect(await it.stores.noticeDeliveries.findDead(other._id, 10)).toEqual(['d102']);
  await expect(retryDeliveriesOf(it.api, 'none', actor)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a test reaches the target at once, and a private address is refused', async () => {
  const { _id } = await it.addTarget();
  expect(await testTarget(it.api, _id)).toEqual({ outcome: 'delivered', reason: null });
  expect(sentTo(it.destination)[0]).toMatchObject({ notices: [] });
  const settings = { url: 'https://10.0.0.1/' };
  await expect(it.addTarget({ settings })).rejects.toMatchObject({ code: 'invalid_field' });
});

test('a target that is deleted is sent nothing that waited for it', async () => {
  const { _id } = await it.addTarget();
  await it.die();
  await it.evaluate();
  await removeTarget(it.api, _id, actor);
  it.deliver();
  expect(await it.stores.noticeDeliveries.findDue(10, [])).toEqual([]);
  expect(it.destination.posts).toEqual([]);
});

test('a database that fails in more attempts than there are leaves the notice waiting, and it is sent once', async () => {
  const { _id: targetId } = await it.addTarget();
  const { noticeTargets } = it.stores;
  const failures = defaultMaxAttempts + 3;
  const rows = it.connection.collection('notice_deliveries');
  let failed = 0;
  const get: typeof noticeTargets.get = async (id) => {
    // The poll reads the target too, before the claim.
    const isAttempt = (await rows.findOne({ 'delivery.state': 'sending' })) !== null;
    if (isAttempt && (failed += 1) <= failures) throw new AppError('unavailable');
    return noticeTargets.get(id);
  };
  const started = it.deliver({ noticeTargets: { ...noticeTargets, get } });
  await it.die();
  await it.evaluate();
  for (let unsent = 1; unsent <= failures; unsent += 1) {
    const row = await waitForValue(`${unsent} attempts`, () =>
      rows
        .findOne({ channelId: targetId, 'delivery.unsent': unsent })
        .then((row) => row ?? undefined),
    );
    expect(row.delivery).toMatchObject({
      state: 'waiting',
      attempts: 0,
      reason: 'store_unavailable',
    });
    await rows.updateOne({ _id: row._id }, { $set: { 'delivery.nextAt': new Date(0) } });
  }
  await waitForValue('the delivery', () =>
    rows
      .findOne({ channelId: targetId, 'delivery.state': 'delivered' })
      .then((row) => row ?? undefined),
  );
  expect(it.destination.posts).toHaveLength(1);
  await started.close();
});
