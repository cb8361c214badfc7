/** Mapping versions: validated before they are saved. Also what all computations with mappings read first. */
import { AppError, orNotFound, valueOrThrow } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import { withinBudget } from '../../mapping/evaluation/apply.ts';
import type { WorkBudget } from '../../mapping/expressions/work-budget.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/language/compile.ts';
import { maxCompileWork } from '../../mapping/work-limits.ts';
import type { ApiContext } from '../context.ts';

/** Compiles a mapping document. Throws `invalid_mapping` with all problems as JSON pointers into the request. */
function compileOrReject(document: unknown, budget?: WorkBudget): CompiledMapping {
  const compiled = compileMapping(document, budget);
  if (compiled.ok) return compiled.mapping;
  const fields = compiled.problems.map(({ path, ...fault }) => ({
    path: `/mapping${path}`,
    ...fault,
  }));
  throw new AppError('invalid_mapping', { details: { fields } });
}

/** As `compileOrReject`, and charges the work to the request. */
export const compileWithin = (request: WorkBudget, document: unknown): CompiledMapping =>
  withinBudget(request, maxCompileWork, (part) => compileOrReject(document, part));

/** Saves a mapping as the next version. Throws `invalid_mapping`. */
export async function saveMapping(
  { mappings, invalidate }: ApiContext,
  { webhookId, mapping }: { readonly webhookId: string; readonly mapping: unknown },
  actor: Actor,
): Promise<MappingVersion> {
  const { document } = compileOrReject(mapping);
  const saved = await mappings.create(webhookId, document, actor);
  invalidate(webhookId);
  return valueOrThrow(saved);
}

/** Returns a webhook, its channel, and the region of its phone numbers. Throws `not_found`. */
export async function readTarget({ webhooks, channels, defaultRegion }: ApiContext, id: string) {
  const webhook = orNotFound(await webhooks.get(id));
  const channel = await channels.get(webhook.channelId);
  return { webhook, channel, region: regionOf(channel, defaultRegion) };
}
