/** Starts tracing when it is configured. OpenTelemetry is loaded only then: it would cost every start time and memory. */
import type { Config } from '../../config/config.ts';
import type { Logger } from '../base/observability/logger.ts';
import { noTracing, type Tracing } from '../base/observability/tracing.ts';
import type { Shutdown } from '../base/process/shutdown.ts';
import { versionOfPackage } from './folders.ts';

type Deps = { readonly role: string; readonly logger: Logger; readonly closing: Shutdown };

/** Longer than the last spans take to be sent. */
const closeMs = 3_000;

export async function openTracing(
  { traces }: Pick<Config, 'traces'>,
  { role, logger, closing }: Deps,
): Promise<Tracing> {
  if (traces === null) return noTracing;
  const { startOtlpTracing } = await import('../base/observability/otlp.ts');
  const version = versionOfPackage();
  const tracing = startOtlpTracing({ sampling: traces, role, version, logger });
  closing.add('traces', () => tracing.close(), closeMs);
  return tracing;
}
