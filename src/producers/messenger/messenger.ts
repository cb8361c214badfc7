/**
 * Messages of people, as messengers and their gateways post them. Each has a form of its own; decoding adds the same member `messenger`
 * to each, which the starter mappings read. Events that no person wrote have none.
 *
 * Promises: pure, and never throws. `messenger` replaces a member of this name.
 */
import { isJsonObject, type JsonObject } from '../../base/json/json-values.ts';
import type { BodyDecoder } from '../producer.ts';

export type Message = {
  /** By which the messenger reaches the person; null where it says none. */
  readonly personId: string | null;
  /** A number with its country code, or an address that has one. */
  readonly phone?: string | null;
  readonly name?: string | null;
  readonly text: string;
};

type Writable = Record<string, unknown>;

/** Sets `messenger` of an item, or removes it. */
export function setMessage(item: Writable, message: Message | null): void {
  if (message === null) delete item.messenger;
  else item.messenger = Object.assign(Object.create(null), message);
}

/** Adds `messenger` to the items of the bodies of a sender. */
export const messengerBody = (
  { acceptsContentType, decodeBody }: BodyDecoder,
  {
    itemsOf,
    read,
  }: {
    readonly itemsOf: (body: Writable) => readonly Writable[];
    readonly read: (item: JsonObject) => Message | null;
  },
): BodyDecoder => ({
  acceptsContentType,
  decodeBody(raw) {
    const decoded = decodeBody(raw);
    if (!decoded.ok || !isJsonObject(decoded.value)) return decoded;
    for (const item of itemsOf(decoded.value)) setMessage(item, read(item));
    return decoded;
  },
});

/** Whether the external id is the address by which the messenger of the item reaches the person. */
export function isAddressOfPerson(item: unknown, externalId: string | null): boolean {
  if (externalId === null || !isJsonObject(item) || !isJsonObject(item.messenger)) return false;
  return item.messenger.personId === externalId;
}
