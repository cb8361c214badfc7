import type { Logger } from '../../../src/base/observability/logger.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import {
  maxBucketPaths,
  type DriftBucket,
  type Observation,
} from '../../../src/domain/mappings/drift.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { applyItem } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { startDriftSampler } from '../../../src/maintenance/drift-sampler.ts';
import { exampleBody, exampleDocument, payloadOf } from '../mapping/example-mapping.ts';

const compiled = compileMapping(exampleDocument);
if (!compiled.ok) throw new Error('The example does not compile.');
const { mapping } = compiled;
const receivedAt = new Date('2026-01-06T12:34:56Z');

function observation(over: Partial<EventRecord> = {}, body: unknown = exampleBody): Observation {
  const identity = { _id: 'e', webhookId: 'w', mappingVersion: 1, bodyBytes: 900 };
  const event = { ...identity, attempts: 1, generation: 0, receivedAt, ...over } as EventRecord;
  const mapped = applyItem(mapping, payloadOf(body), { defaultRegion: 'BR' });
  return { event, document: mapping.document, item: body, mapped };
}

let elapsedMs = 0;
const clock = { now: () => new Date('2026-01-06T13:00:00Z'), elapsedMs: () => elapsedMs };

function gathering(perSecond = 1_000, perSecondInAll = 10_000) {
  const written: DriftBucket[][] = [];
  const write = async (buckets: readonly DriftBucket[]) => void written.push([...buckets]);
  const limits = { perSecond, perSecondInAll };
  const gatherer = startDriftSampler({ write, clock, logger: silentLogger(), ...limits });
  return {
    ...gatherer,
    buckets: async () => {
      await gatherer.close();
      return written.flat();
    },
  };
}

test('counts events, filled targets, paths and types by webhook, version and hour', async () => {
  const { observe, buckets } = gathering();
  observe(observation());
  observe(observation({}, { ...exampleBody, campaign: null }));
  observe(observation({}, { event: 'lead.changed' }));
  observe(observation({ mappingVersion: 2 }));
  observe(observation({ receivedAt: new Date('2026-01-06T11:00:00Z') }));
  const [first, ...others] = await buckets();
  expect(others.map(({ version, hour }) => [version, hour.toISOString()])).toEqual([
    [2, '2026-01-06T12:00:00.000Z'],
    [1, '2026-01-06T11:00:00.000Z'],
  ]);
  expect(first).toMatchObject({ webhookId: 'w', version: 1, events: 3, ignored: 1, more: 0 });
  expect(Object.fromEntries(first?.targets ?? [])).toMatchObject({
    filter: 2,
    eventId: 2,
    'contact.phone': 2,
    'context.campaign': 1,
    'context.labels': 2,
  });
  expect(first?.paths.get('campaign')).toEqual({
    present: 1,
    types: { object: 1, empty: 1 },
    lastSeenAt: receivedAt,
  });
  expect(first?.paths.get('campaign.name')).toMatchObject({ present: 1, types: { string: 1 } });
});

test('only first attempts are counted, and nothing that would be deleted at once', async () => {
  const { observe, buckets } = gathering();
  observe(observation({ attempts: 2 }));
  observe(observation({ generation: 1 }));
  observe(observation({ receivedAt: new Date('2025-11-01') }));
  expect(await buckets()).toEqual([]);
});

test('in a flood a limited number of events per second and webhook is observed', async () => {
  const { observe, buckets } = gathering(5);
  elapsedMs = 1_000;
  for (let i = 0; i < 100; i += 1) observe(observation());
  observe(observation({ webhookId: 'other' }));
  elapsedMs = 2_000;
  observe(observation());
  expect((await buckets()).map(({ webhookId, events }) => [webhookId, events])).toEqual([
    ['w', 6],
    ['other', 1],
  ]);
});

test('and of all webhooks together', async () => {
  const { observe, buckets } = gathering(5, 30);
  elapsedMs = 7_000;
  for (let i = 0; i < 400; i += 1) observe(observation({ webhookId: `w${i % 40}` }));
  expect((await buckets()).reduce((sum, { events }) => sum + events, 0)).toBe(30);
});

test('a large body counts as several events', async () => {
  const { observe, buckets } = gathering(5);
  elapsedMs = 5_000;
  for (let i = 0; i < 9; i += 1) observe(observation({ bodyBytes: 33_000 }));
  for (let i = 0; i < 9; i += 1) observe(observation({ webhookId: 'v', bodyBytes: 1_000_000 }));
  expect((await buckets()).map(({ events }) => events)).toEqual([2, 1]);
});

test('memory is bounded for any bodies', async () => {
  const { observe, buckets } = gathering(10_000);
  const lead = observation();
  for (let i = 0; i < 300; i += 1) {
    const item = Object.fromEntries(Array.from({ length: 300 }, (_, k) => [`k${i}_${k}`, k]));
    const event = { ...lead.event, webhookId: `w${Math.floor(i / 2)}` };
    observe({ ...lead, item, event });
  }
  for (let i = 0; i < 300; i += 1) observe(observation({ webhookId: `v${i}` }));
  const kept = await buckets();
  expect(kept.length).toBeLessThanOrEqual(200);
  expect(kept.reduce((sum, { paths }) => sum + paths.size, 0)).toBeLessThanOrEqual(20_000);
  expect(Math.max(...kept.map(({ paths }) => paths.size))).toBe(maxBucketPaths);
  expect(kept[0]?.more).toBe(100);
});

test('an error is logged, and affects neither processing nor the next flush', async () => {
  const lines: string[] = [];
  const note = (_fields: object, line: string) => void lines.push(line);
  const logger = { ...silentLogger(), warn: note, error: note } as unknown as Logger;
  const written: number[] = [];
  const write = async (buckets: readonly DriftBucket[]) => {
    written.push(buckets.length);
    if (written.length === 1) throw new Error('away');
  };
  const gatherer = startDriftSampler({ write, clock, logger });
  elapsedMs = 9_000;
  gatherer.observe({ ...observation(), mapped: null as never });
  gatherer.observe(observation());
  await gatherer.flush();
  elapsedMs = 10_000;
  gatherer.observe(observation());
  await gatherer.close();
  expect(lines).toEqual(['drift.observation_failed', 'drift.not_saved']);
  expect(written).toEqual([1, 1]);
});

test('test events of users are not counted', async () => {
  const { observe, buckets } = gathering();
  observe(observation({ test: { id: 'e', delivers: false } }));
  expect(await buckets()).toEqual([]);
});
