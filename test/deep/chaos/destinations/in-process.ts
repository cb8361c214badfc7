// The destinations of the harness with an API, processing and two delivering workers in this process, whose stores a test may
// break. Nothing is killed, so that a scenario takes a second.
import { setTimeout as pause } from 'node:timers/promises';
import { assembleNoticeDelivery } from '../../../../src/assemble/notices.ts';
import { createMetrics } from '../../../../src/base/observability/metrics.ts';
import { metricLabels } from '../../../../src/domain/metric-labels.ts';
import { evaluateNotices } from '../../../../src/notices/evaluate.ts';
import type { Stores } from '../../../../src/store/stores.ts';
import { startTestDelivery } from '../../../support/context/delivery.ts';
import { createTestApi, secretKey } from '../../../support/context/test-api.ts';
import { testConfig } from '../../../support/context/test-context.ts';
import { createClient, waitForValue } from '../../../support/processes/client.ts';
import { adminToken } from '../../../support/processes/roles.ts';
import { observeState } from '../checker/observed-state.ts';
import { createApi } from '../cluster/retrying-api.ts';
import { createDestinations } from './destinations.ts';
import { observeDestinations, type DestinationFacts } from './facts.ts';

const pollMs = 20;
/** Nothing stalls here, so no attempt begins later than this after its claim. */
const leaseMs = 2_000;
/** What the context does not clear. */
const otherCollections = ['notices', 'notice_deliveries', 'idempotency'];

export type BreakStores = (stores: Stores) => Partial<Stores>;
export type InProcess = Awaited<ReturnType<typeof createInProcess>>;
export type Scene = Awaited<ReturnType<InProcess['start']>>;

export async function createInProcess(name: string) {
  const context = await createTestApi(name, { adminToken });
  const { stores, connection, url } = context;
  const client = createClient({ url: () => url, token: adminToken });

  const wrongAnswers: string[] = [];
  const api = createApi([url], wrongAnswers);
  const destinations = await createDestinations({
    api,
    client,
    urls: [url],
    wrongAnswers,
    leaseMs,
  });

  /** Starts workers, each with its own broken stores, without what happened before. */
  async function start(breakStores: BreakStores = () => ({})) {
    await context.clear();
    for (const one of otherCollections) await connection.collection(one).deleteMany({});
    destinations.forget();
    const broken = () => ({ ...stores, ...breakStores(stores) });
    const workers = [broken(), broken()].map((own) =>
      startTestDelivery(context, {
        stores: own,
        secretKeys: [secretKey],
        intervalMs: pollMs,
        channelStateMs: pollMs,
        random: () => 0,
      }),
    );
    const notices = assembleNoticeDelivery(
      testConfig,
      context.newResources({ stores: broken(), secretKeys: [secretKey] }),
      { pollMs, random: () => 0 },
    );
    const processEvents = context.newProcessing({ stores: broken(), random: () => 0 });
    let isOver = false;
    const processing = (async () => {
      while (!isOver) {
        const due = await connection
          .collection<{ _id: string }>('events')
          .find({ open: true }, { projection: { _id: 1 } })
          .toArray();
        if (due.length > 0) await processEvents(due.map(({ _id }) => _id));
        await pause(pollMs);
      }
    })();

    return {
      ...destinations,
      api,
      /** Posts to a webhook. */
      post: client.deliver,
      evaluateNotices: () =>
        evaluateNotices(
          context.newResources({ stores: broken(), metrics: createMetrics(metricLabels) }),
        ),

      /** Waits until the services are answered and nothing is open, at most for the time. */
      async settle(withinMs = 120_000): Promise<void> {
        const deadline = Date.now() + withinMs;
        const open = async () =>
          destinations.pending() +
          (await connection.collection('events').countDocuments({ open: true })) +
          (await connection.collection('messages').countDocuments({ 'delivery.open': true })) +
          (await connection
            .collection('notice_deliveries')
            .countDocuments({ 'delivery.open': true }));
        while ((await open()) > 0 && Date.now() < deadline) await pause(pollMs);
      },

      async observe(): Promise<DestinationFacts> {
        const cluster = { db: connection.db, leaseMs } as never;
        const seen = await observeState(api, cluster);
        const observation = { ...destinations, api, cluster, faults: [] };
        return (await observeDestinations(observation, seen)).destinations;
      },

      async close(): Promise<void> {
        isOver = true;
        await processing;
        await Promise.all([...workers, notices].map((one) => one.close()));
        await waitForValue('the services are answered', () =>
          destinations.pending() === 0 ? true : undefined,
        );
      },
    };
  }

  return {
    start,
    async close(): Promise<void> {
      await destinations.close();
      await context.close();
    },
  };
}
