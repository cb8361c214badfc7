/** Composes the evaluation of notices and their delivery. `over` replaces parts, for tests. */
import type { Config } from '../../config/config.ts';
import { createNoticeSenders } from '../channels/notices/target-kinds.ts';
import { startDispatcher } from '../delivery/dispatcher.ts';
import type { NoticeDelivery } from '../domain/notices/notice.ts';
import { attemptNotice, reportNotice } from '../notices/attempt-notice.ts';
import { startNoticeEvaluation } from '../notices/evaluate.ts';
import type { Resources } from './resources.ts';
import { createDisabledGate } from '../delivery/disabled-channels.ts';

type NoticeConfig = Pick<Config, 'allowedDestinations' | 'leaseMs' | 'publicUrl'>;
type NoticeParts = {
  readonly intervalMs?: number;
  readonly pollMs?: number;
  readonly random?: () => number;
};

/** Longer than an attempt and its record take. */
const drainMs = 16_000;

export function assembleNoticeDelivery(
  config: NoticeConfig,
  { stores, ...resources }: Resources,
  { pollMs, ...over }: NoticeParts = {},
) {
  const { clock } = resources;
  const deps = {
    ...config,
    ...resources,
    random: Math.random,
    deliveries: stores.noticeDeliveries,
    targets: stores.noticeTargets,
    gate: createDisabledGate(stores.noticeTargets),
    senders: createNoticeSenders({ ...config, now: () => clock.now() }),
    ...over,
  };
  return startDispatcher<NoticeDelivery>({
    ...deps,
    ...(pollMs !== undefined && { intervalMs: pollMs }),
    attempt: (claimed) => attemptNotice(deps, claimed),
    reportSpent: (message) =>
      reportNotice(deps, message, { kind: 'dead', reason: 'attempts_spent' }),
  });
}

export function assembleNotices(config: NoticeConfig, resources: Resources): void {
  const { closing } = resources;
  // A notice may wait for some seconds, so that an idle installation polls rarely.
  const delivery = assembleNoticeDelivery(config, resources, { pollMs: 5_000 });
  closing.add('notice delivery', () => delivery.close(), drainMs);
  const evaluation = startNoticeEvaluation(resources, { wakeDelivery: delivery.wake });
  closing.add('notices', () => evaluation.close(), 6_000);
}
