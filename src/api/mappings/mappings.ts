/** Mapping versions: validated before they are saved. Also what all computations with mappings read first. */
import { orNotFound, valueOrThrow } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import type { ApiContext } from '../context.ts';
import { compileOrReject } from './compile-or-reject.ts';

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
