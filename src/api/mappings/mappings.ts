/** Mapping versions: validated before they are saved. Also what all computations with mappings read first. */
import { orNotFound, valueOrThrow } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import type { ApiContext } from '../context.ts';
import { compileOrReject } from './compile-or-reject.ts';
import { insertMapping } from '../../store/webhooks/mappings.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { findChannel } from '../../store/channels/channels.ts';

/** Saves a mapping as the next version. Throws `invalid_mapping`. */
export async function saveMapping(
  ctx: ApiContext,
  { webhookId, mapping }: { readonly webhookId: string; readonly mapping: unknown },
  actor: Actor,
): Promise<MappingVersion> {
  const { document } = compileOrReject(mapping);
  const saved = await insertMapping(ctx, { webhookId, mapping: document }, actor);
  ctx.invalidate(webhookId);
  return valueOrThrow(saved);
}

/** Returns a webhook, its channel, and the region of its phone numbers. Throws `not_found`. */
export async function readTarget(ctx: ApiContext, id: string) {
  const webhook = orNotFound(await getWebhook(ctx, id));
  const channel = await findChannel(ctx, webhook.channelId);
  return { webhook, channel, region: regionOf(channel, ctx.defaultRegion) };
}
