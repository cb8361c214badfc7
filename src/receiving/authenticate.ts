/** From the path key of a request to its webhook. */
import { AppError } from '../base/errors.ts';
import { sha256 } from '../base/ids.ts';
import { clientNetworkOf } from '../domain/access/ip-address.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { Receiving } from './receiving.ts';
import type { SenderRequest } from './sender-request.ts';
import { isAcceptedKey } from './webhook-cache.ts';

/**
 * Resolves to the webhook of the request's key. Rejects with `invalid_key` for a missing, malformed, unknown, revoked or
 * archived key, after the same work for each; with `overloaded` or `rate_limited` when too many unknown keys arrive.
 */
export const authenticate = (receiving: Receiving, request: SenderRequest): Promise<Webhook> =>
  receiving.authThrottle.watch('key', request.clientAddress, webhookOf(receiving, request));

async function webhookOf(
  { lookUpKey, countKeyUse }: Receiving,
  { key, clientAddress }: SenderRequest,
): Promise<Webhook> {
  const resolved = await lookUpKey(sha256(key), () => clientNetworkOf(clientAddress()));
  // A path that is no route has the empty key.
  if (key === '' || !isAcceptedKey(resolved)) throw new AppError('invalid_key');
  countKeyUse?.(resolved.keyId);
  return resolved.webhook;
}
