// What the tests of notices share: a database with a webhook, a destination, an evaluation whose clock the test sets, and a
// delivery.
import { createTarget } from '../../../src/api/notices/targets.ts';
import { assembleNoticeDelivery } from '../../../src/assemble/notices.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { metricLabels } from '../../../src/domain/metric-labels.ts';
import type { NoticeRecord } from '../../../src/domain/notices/notice.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { evaluateNotices } from '../../../src/notices/evaluate.ts';
import { collectionOf } from '../services/collections.ts';
import { waitForValue } from '../processes/client.ts';
import { startDestination, type Destination } from '../services/destination.ts';
import { apiContextOf } from './api-context.ts';
import { createTestContext, testConfig } from './test-context.ts';

export const actor = { tokenId: 'test', name: 'test' };
export const publicUrl = 'https://inlet.example.com';
export const minuteMs = 60_000;
const secretKeys = [Buffer.alloc(32, 7).toString('base64')];
const collections = [
  'notices',
  'notice_evaluation',
  'notice_targets',
  'notice_rules',
  'notice_deliveries',
  'hour_stats',
  'stats',
  'rejection_counts',
  'keys',
  'channelHealth',
];

export type SentNotices = {
  readonly title: string;
  readonly notices: readonly {
    readonly kind: string;
    readonly change: string;
    readonly text: string;
    readonly url: string;
    readonly webhook: { readonly id: string };
  }[];
  readonly more: number;
  readonly reminder: boolean;
};

/** Returns the bodies that a destination received. */
export const sentTo = <Body>(destination: Destination): Body[] =>
  destination.posts.map(({ body }) => body as unknown as Body);

export const changesOf = (sent: SentNotices | undefined) =>
  sent?.notices.map(({ kind, change }) => `${kind} ${change}`);

export type NoticeContext = Awaited<ReturnType<typeof createNoticeContext>>;

export async function createNoticeContext(name: string) {
  const context = await createTestContext(name);
  const { stores, connection } = context;
  const webhook = await context.addWebhook();
  const destination = await startDestination();
  const running: { close(): Promise<void> }[] = [];
  /** Milliseconds that the clock of the evaluation is ahead. */
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
  const api = apiContextOf(context, { secretKeys, publicUrl });
  type Given = Partial<Parameters<typeof createTarget>[1]>;
  const evaluate = (over: Partial<typeof stores> = {}) =>
    evaluateNotices({
      ...context.newResources({ clock, metrics: createMetrics(metricLabels) }),
      ...over,
    });

  return {
    ...context,
    webhook,
    destination,
    clock,
    api,
    evaluate,
    /** Evaluates after the time. Resolves to the number of deliveries. */
    evaluateAfter(ms: number): Promise<number> {
      aheadMs += ms;
      return evaluate();
    },
    /** Starts a delivery; `over` replaces stores. */
    deliver(over: Partial<typeof stores> = {}, pollMs = 20) {
      const config = { ...testConfig, publicUrl };
      const started = assembleNoticeDelivery(
        config,
        context.newResources({ secretKeys, stores: { ...stores, ...over } }),
        { pollMs, random: () => 0 },
      );
      // One with stores of its own dies: closing it would wait for what never ends.
      if (Object.keys(over).length === 0) running.push(started);
      return started;
    },
    addTarget: (over: Given = {}) =>
      createTarget(
        api,
        { name: 'On call', kind: 'webhook', settings: { url: destination.url }, ...over },
        actor,
      ),
    /** Events without a contact, which die. */
    async die(count = 1, of: Webhook = webhook): Promise<string[]> {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) {
        ids.push(await context.send(of, { id: String(Math.random()), text: 'secret content' }));
      }
      await context.processEvents(ids);
      return ids;
    },
    bury: (ids: readonly string[]) =>
      collectionOf(connection, 'events').deleteMany({ _id: { $in: [...ids] } }),
    notices: () => collectionOf<NoticeRecord>(connection, 'notices').find({}).toArray(),
    arrived: (count: number) =>
      waitForValue(`${count} notices`, () =>
        destination.posts.length >= count ? sentTo<SentNotices>(destination) : undefined,
      ),
    /** Removes what a test has made. */
    async reset() {
      await Promise.all(running.splice(0).map((one) => one.close()));
      aheadMs = 0;
      destination.posts.splice(0);
      destination.answerWith((response) => void response.writeHead(200).end());
      await context.clear();
      await Promise.all(collections.map((one) => collectionOf(connection, one).deleteMany({})));
    },
    async close() {
      await destination.close();
      await context.close();
    },
  };
}
