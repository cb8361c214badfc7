// What the health and the database say of themselves, and what to do.
import { languages, renderText } from '../../../src/base/texts/texts.ts';
import {
  databaseFindings,
  recordFindings,
} from '../../../src/api/installation/database-findings.ts';
import type { Finding } from '../../../src/api/installation/finding.ts';
import { healthFindings } from '../../../src/api/installation/health-findings.ts';

const now = new Date('2026-01-06T12:00:00Z');
const process = (role: string, release: string, aheadMs: number) => ({
  role,
  release,
  aheadMs,
});
const good = {
  mongodb: { isUp: true, disk: { usedBytes: 10e9, totalBytes: 100e9 } },
  redis: {
    isUp: true,
    queueDepth: 0,
    settings: { policy: 'noeviction', isPersistent: true },
  },
  servers: 1,
  workers: 1,
  processes: [process('server', '0.2.0', 3), process('worker', '0.2.0', -40)],
  backlog: { open: 1, dead: 0 },
  oldestOpenAt: new Date('2026-01-06T11:50:00Z'),
};

const badOf = (findings: readonly Finding[]) =>
  findings.flatMap(({ check, result }) => (result === 'ok' ? [] : [[check, result]]));

test('a healthy installation has no advice', () => {
  const findings = healthFindings(good, now);
  expect(findings).toHaveLength(11);
  expect(findings.map(({ advice }) => advice)).toEqual(findings.map(() => null));
});

const disk = (percent: number) => ({
  mongodb: { isUp: true, disk: { usedBytes: percent * 1e9, totalBytes: 100e9 } },
});

test.each([
  ['MongoDB that is down', { mongodb: { isUp: false, disk: null } }, ['mongodb', 'problem']],
  ['no worker', { workers: 0 }, ['workers', 'problem']],
  ['no server', { servers: 0 }, ['servers', 'problem']],
  ['a dead letter', { backlog: { open: 0, dead: 1 } }, ['dead_letters', 'warning']],
  ['an old event', { oldestOpenAt: new Date(0) }, ['open_events', 'warning']],
  ['a disk of 80 %', disk(80), ['disk', 'warning']],
  ['a disk of 92 %', disk(92), ['disk', 'problem']],
  [
    'a policy that evicts',
    { redis: { ...good.redis, settings: { policy: 'allkeys-lru', isPersistent: true } } },
    ['redis_policy', 'problem'],
  ],
  [
    'a Redis without a file',
    { redis: { ...good.redis, settings: { policy: 'noeviction', isPersistent: false } } },
    ['redis_file', 'warning'],
  ],
  [
    'an upgrade in progress',
    { processes: [process('server', '0.3.0', 0), process('worker', '0.2.0', 0)] },
    ['versions', 'warning'],
  ],
  [
    'a clock that is behind',
    { processes: [process('worker', '0.2.0', -6_000)] },
    ['clocks', 'warning'],
  ],
])('%s is found', (_what, change, found) => {
  expect(badOf(healthFindings({ ...good, ...change }, now))).toEqual([found]);
});

test('the jobs that wait are counted', () => {
  const finding = healthFindings(good, now).find(({ check }) => check === 'redis');
  expect(finding && renderText(finding.text, 'en')).toBe('It answers. 0 jobs wait.');
});

test('what is not known is left out', () => {
  const unknown = {
    ...good,
    mongodb: { isUp: true, disk: null },
    redis: { isUp: true, queueDepth: null, settings: null },
    processes: [],
    oldestOpenAt: null,
  };
  const checks = healthFindings(unknown, now).map(({ check }) => check);
  for (const left of ['disk', 'redis_policy', 'redis_file', 'clocks'])
    expect(checks).not.toContain(left);
});

test('every advice is in three languages', () => {
  const bad = [
    ...databaseFindings({
      missingIndexes: ['events.dedup'],
      secrets: [{ owner: 'channel', readable: 0, unreadable: 1 }],
    }),
    ...recordFindings({
      mappings: { active: 1, readable: 0 },
      events: { finished: 1, whole: 0 },
    }),
    ...healthFindings({ ...good, workers: 0, servers: 0, ...disk(99) }, now),
  ].filter(({ result }) => result === 'problem');
  expect(bad).toHaveLength(7);
  for (const { advice } of bad) {
    const said = languages.map((language) => advice && renderText(advice, language));
    expect(new Set(said).size).toBe(3);
  }
});
