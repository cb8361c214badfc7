/** Reads an item of the WhatsApp webhook: whose it is, and what became of a sent message. */
import { isJsonObject, isText } from '../../base/json/json-values.ts';
import type { DeliveryStatus } from '../../domain/messages/delivery-status.ts';
import type { Reason } from '../../domain/events/actions.ts';
import type { ChannelSettings, Reply } from '../channel.ts';
import { isWindowCode } from './api-errors.ts';

const maxIdLength = 300;
const idIn = (value: unknown): string | null =>
  isText(value) && value !== '' && value.length <= maxIdLength ? value : null;

/** An app has one URL for all of its numbers. The producer adds the number to each item. */
export function ignores(item: unknown, { phoneNumberId }: ChannelSettings): string | null {
  const number = isJsonObject(item) ? item.phone_number_id : undefined;
  const isOwn = number === undefined || number === phoneNumberId;
  return isOwn ? null : ('other_account' satisfies Reason);
}

/** A changed number is said by WhatsApp, and opens no window for answers. */
export const readReply = (item: unknown): Reply | null =>
  isJsonObject(item) && item.type === 'system' ? null : { thread: null, quotedId: null };

const states = ['sent', 'failed', 'delivered', 'read'] as const;

/** WhatsApp does not send again what failed, so every code is final here. */
function reasonOf(errors: unknown): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : null;
  const code = isJsonObject(first) ? first.code : null;
  if (!Number.isSafeInteger(code)) return 'destination_rejected' satisfies Reason;
  if (isWindowCode(Number(code))) return 'window_closed' satisfies Reason;
  return `${'destination_rejected' satisfies Reason}:${Number(code)}`;
}

/** Returns null for an item that is no status. */
export function readStatus(item: unknown): DeliveryStatus | null {
  if (!isJsonObject(item)) return null;
  const { id, status, biz_opaque_callback_data: messageId, errors } = item;
  const state = states.find((one) => one === status);
  const externalId = idIn(id);
  if (!state || externalId === null) return null;
  const reason = state === 'failed' ? reasonOf(errors) : null;
  return { messageId: idIn(messageId), externalId, state, reason };
}
