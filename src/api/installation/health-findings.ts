/** Findings of the health: databases, processes, backlog, disk, Redis. What a database does not tell is left out. */
import { finding, okOrWarning, type Finding } from './finding.ts';
import { textWith } from '../../base/texts/texts.ts';

type Health = {
  readonly mongodb: {
    readonly isUp: boolean;
    readonly disk: { readonly usedBytes: number; readonly totalBytes: number } | null;
  };
  readonly redis: {
    readonly isUp: boolean;
    readonly queueDepth: number | null;
    readonly settings: { readonly policy: string; readonly isPersistent: boolean } | null;
  };
  readonly servers: number;
  readonly workers: number;
  readonly processes: readonly {
    readonly role: string;
    readonly release: string;
    readonly aheadMs: number;
  }[];
  readonly backlog: { readonly open: number; readonly dead: number } | null;
  readonly oldestOpenAt: Date | null;
};

const maxClockMs = 5_000;
const maxOpenMinutes = 15;
const warnDiskPercent = 80;
const maxDiskPercent = 92;

const reported = (count: number) => textWith('finding.reported', { count });

function openFinding({ backlog, oldestOpenAt }: Health, now: Date): Finding {
  if (oldestOpenAt === null) {
    return finding('open_events', 'ok', 'finding.none_open');
  }
  const minutes = Math.round((now.getTime() - oldestOpenAt.getTime()) / 60_000);
  const count = backlog?.open ?? '?';
  const text = textWith('finding.open', { count, minutes });
  return finding('open_events', okOrWarning(minutes <= maxOpenMinutes), text);
}

function diskFinding({ mongodb: { disk: space } }: Health): Finding[] {
  if (!space) return [];
  const { usedBytes, totalBytes } = space;
  const percent = Math.round((100 * usedBytes) / totalBytes);
  const free = Math.round((totalBytes - usedBytes) / 1e9);
  const text = textWith('finding.disk', { percent, free });
  return [
    finding('disk', percent < maxDiskPercent && okOrWarning(percent < warnDiskPercent), text),
  ];
}

function redisFinding({ redis: { isUp, queueDepth } }: Health): Finding {
  const state = isUp ? 'answers' : 'silent';
  if (queueDepth === null) return finding('redis', isUp, `finding.${state}`);
  const text = textWith(`finding.${state}_with_jobs`, { jobs: queueDepth });
  return finding('redis', isUp, text);
}

function redisFindings({ redis: { settings } }: Health): Finding[] {
  if (!settings) return [];
  const { policy, isPersistent } = settings;
  const rule = textWith('finding.redis_policy', { policy });
  const kept = isPersistent ? 'finding.redis_appends' : 'finding.redis_forgets';
  return [
    finding('redis_policy', policy === 'noeviction', rule),
    finding('redis_file', okOrWarning(isPersistent), kept),
  ];
}

function processFindings({ processes }: Health): Finding[] {
  const releases = [...new Set(processes.map(({ release }) => release))].sort();
  const runs = textWith('finding.versions', { releases: releases.join(', ') });
  const found = [finding('versions', okOrWarning(releases.length <= 1), runs)];
  const [worst] = processes
    .map(({ role, aheadMs }) => ({ role, offMs: Math.abs(aheadMs) }))
    .toSorted((a, b) => b.offMs - a.offMs);
  if (!worst) return found;
  const { role, offMs } = worst;
  const seconds = Math.round(offMs / 1_000);
  const text = textWith('finding.clock', { role, seconds });
  return [...found, finding('clocks', okOrWarning(offMs <= maxClockMs), text)];
}

export function healthFindings(health: Health, now: Date): Finding[] {
  const { isUp } = health.mongodb;
  const dead = health.backlog?.dead ?? 0;
  const deadText = textWith('finding.dead', { count: dead });
  return [
    finding('mongodb', isUp, isUp ? 'finding.answers' : 'finding.silent'),
    redisFinding(health),
    finding('servers', health.servers > 0, reported(health.servers)),
    finding('workers', health.workers > 0, reported(health.workers)),
    openFinding(health, now),
    finding('dead_letters', okOrWarning(dead === 0), deadText),
    ...diskFinding(health),
    ...redisFindings(health),
    ...processFindings(health),
  ];
}
