/** The series of single webhooks: bounded, and counters that only grow. */
import { createWebhookMetrics } from '../../../src/api/stats/webhook-metrics.ts';
import { noCounts } from '../../../src/domain/stats.ts';

type Counts = Readonly<Record<string, number>>;

function aReader(limit = 2) {
  const state = { counts: {} as Counts, elapsedMs: 0, reads: 0, isAway: false };
  const stats = {
    busiest: async (_days: readonly Date[], { limit: most }: { readonly limit: number }) => {
      state.reads += 1;
      if (state.isAway) throw new Error('away');
      const ids = Object.keys(state.counts).filter((id) => id !== 'all');
      const countOf = (id: string) => state.counts[id] ?? 0;
      return ids.toSorted((a, b) => countOf(b) - countOf(a)).slice(0, most);
    },
    lifetimes: async (ids: readonly string[]) =>
      ids.map((webhookId) => ({
        ...noCounts,
        webhookId,
        received: state.counts[webhookId] ?? 0,
        lastAt: new Date(1_000),
      })),
  };
  const clock = { now: () => new Date(0), elapsedMs: () => state.elapsedMs };
  const readText = createWebhookMetrics({ stats: stats, limit, clock });
  async function read(): Promise<Counts> {
    const lines = [...(await readText()).matchAll(/received_total\{webhook_id="(\w+)"\} (\d+)/g)];
    return Object.fromEntries(lines.map(([, id = '', value]) => [id, Number(value)]));
  }
  return {
    state,
    read,
    later: (counts: Counts): Promise<Counts> => {
      state.elapsedMs += 60_000;
      state.counts = counts;
      return read();
    },
  };
}

test('the busiest have series, and the others are one that only grows', async () => {
  const { later } = aReader();
  expect(await later({ all: 100, a: 50, b: 30, c: 20 })).toEqual({ a: 50, b: 30, other: 0 });
  expect(await later({ all: 110, a: 51, b: 31, c: 28 })).toEqual({ a: 51, b: 31, other: 8 });
  // c enters the list and b leaves it.
  const next = await later({ all: 150, a: 52, b: 32, c: 66 });
  expect(next).toEqual({ a: 52, c: 66, other: 47 });
  expect((await later({ all: 151, a: 52, b: 33, c: 66 })).other).toBe(48);
});

test('figures are read at most every fifteen seconds, and a failure is not kept', async () => {
  const { state, read, later } = aReader();
  await later({ all: 1, a: 1 });
  await read();
  expect(state.reads).toBe(1);
  state.isAway = true;
  await expect(later({ all: 2, a: 2 })).rejects.toThrow('away');
  state.isAway = false;
  expect(await read()).toEqual({ a: 2, other: 0 });
});
