/** The periodic upkeep of every process: heartbeat and retention. */
import type { ProcessContext } from '../context/process-context.ts';
import { startHeartbeat, type HeartbeatOptions } from './heartbeat.ts';
import { startRetention, type RetentionOptions } from './retention.ts';

export function startMaintenance(
  ctx: ProcessContext,
  options: HeartbeatOptions & RetentionOptions,
): void {
  const { closing } = ctx;
  const heartbeat = startHeartbeat(ctx, options);
  closing.add('heartbeat', () => heartbeat.close());
  const retention = startRetention(ctx, options);
  closing.add('retention', () => retention.close(), 6_000);
}
