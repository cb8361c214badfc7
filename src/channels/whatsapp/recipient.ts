/** To whom a message is sent: the number by which WhatsApp knows the contact, or the id of a contact that hides its number. */
import { isText } from '../../base/json/json-values.ts';
import { spellingsOf } from '../../domain/people/phone.ts';
import type { ChannelSettings, OutgoingMessage } from '../channel.ts';

/** The contact field that the starter mapping of the producer fills. */
const addressField = 'whatsappId';

/** An id that WhatsApp gives to a person for one business, such as `BR.1349…`. */
const userId = /^[A-Z]{2}(?:\.[A-Z]+)?\.[A-Za-z\d]{1,128}$/;

type Recipient = { readonly to: string } | { readonly recipient: string };

const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

/**
 * Returns null when there is none. WhatsApp knows some numbers in an older spelling than that of the contact; an address that is no
 * spelling of its phone is of an earlier one. A test without a contact goes to the phone of the settings.
 */
export function recipientOf(
  { contact }: OutgoingMessage,
  { testPhone }: ChannelSettings,
): Recipient | null {
  if (!contact) return isText(testPhone) ? { to: digitsOf(testPhone) } : null;
  const { phone, externalId, fields } = contact;
  const address = fields[addressField];
  if (phone === null) {
    if (externalId !== null && userId.test(externalId)) return { recipient: externalId };
    return isText(address) && /^\d{7,15}$/.test(address) ? { to: address } : null;
  }
  const isCurrent = address !== undefined && spellingsOf(phone).includes(address);
  return { to: isCurrent ? address : digitsOf(phone) };
}
