/** The form of a value, independent of its name. */
import type { Scalar } from '../../src/domain/mappings/mapping.ts';
import { parseDocument } from '../../src/domain/people/document.ts';
import { parsePhone, splitPhone } from '../../src/domain/people/phone.ts';
import { phoneRegionOf } from '../../src/domain/people/phone-region.ts';
import { isPlaceholder } from '../../src/domain/people/placeholder.ts';
import { readDate } from '../../src/mapping/dates/read-date.ts';

const emailShape = /^[^\s@<>"]{1,64}@[^\s@<>"]+\.[A-Za-z]{2,24}$/;
const urlShape = /^(?:[a-z][a-z\d+.-]*:\/\/|www\.)/i;
const uuidShape = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const phoneShape =
  /^(?:(?:whatsapp|tel|sms|callto):)?\+?[\d().\s/-]{7,24}(?:@(?:c\.us|s\.whatsapp\.net))?$/i;
const dateTimeShape = /\d[T ,]+(?:\D{0,6})\d{1,2}[:h]\d{0,2}/;

// Messenger addresses of phone numbers look like e-mail addresses.
const messengerShape = /@(?:s\.whatsapp\.net|c\.us|g\.us|lid|broadcast)$/i;

export const isEmail = (text: string): boolean =>
  text.length <= 254 && emailShape.test(text) && !messengerShape.test(text);
/** Whether the address is one of a program, such as `no-reply@` or `postmaster@`. */
export const isUnattended = (text: string): boolean =>
  /^(?:no|do[-_.]?not)[-_.]?reply\b|^(?:mailer[-_.]daemon|postmaster|bounces?)@/i.test(text);
const listMarks = [';', ',', '|', '/', '\n'];
const maxListed = 10;

/**
 * Returns the first of several addresses or numbers in one text, such as `a@example.com; b@example.com`, and what separates them;
 * null for any other text.
 */
export function firstListed(
  text: string,
  isOne: (part: string) => boolean,
): { readonly by: string; readonly first: string } | null {
  for (const by of listMarks) {
    const parts = text.split(by, maxListed + 1).map((part) => part.trim());
    const given = parts.filter((part) => part !== '');
    const [first = ''] = given;
    if (parts.length < 2 || parts.length > maxListed || parts[0] === '') continue;
    if (given.every(isOne)) return { by, first };
  }
  return null;
}

export const isUrl = (text: string): boolean => urlShape.test(text);
export const isUuid = (text: string): boolean => uuidShape.test(text);

// A timestamp with parts of a second.
const decimal = /^\d{9,}\.\d+$/;

/**
 * Returns how likely a text is a phone number: 1 with a country code, 0.7 to 0.9 without one, 0.5 for digits that are one in another
 * country only, 0 if it is none.
 */
export function phoneLikeness(text: string, region: string): number {
  if (!phoneShape.test(text) || decimal.test(text)) return 0;
  const digits = text.replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 15) return 0;
  const parsed = parsePhone(text, region);
  if (parsed === null) return 0;
  if (/^(?:whatsapp:)?(?:\+|00)/.test(text)) return 1;
  if (text === digits && parsed === `+${digits}`) return isOfRegion(parsed, region) ? 0.9 : 0.5;
  return /^\(\d{2,3}\)/.test(text) || text.includes('@') ? 0.9 : 0.7;
}

const isOfRegion = (e164: string, region: string): boolean =>
  phoneRegionOf(splitPhone(e164).ddi) === region;

/** Returns how likely a text is a person's document, by its check digits and punctuation: 0 to 1. */
export function documentLikeness(text: string, region: string): number {
  const digits = text.replace(/\D/g, '');
  if (text.length > 24 || digits.length < 5 || !/^[\dA-Za-z./\s-]+$/.test(text)) return 0;
  if (isPlaceholder(text, 'document')) return 0;
  const isBrazilian = (digits.length === 11 || digits.length === 14) && !/[A-Za-z]/.test(text);
  if (!isBrazilian) return 0.6;
  if (parseDocument(text, region) === null) return 0;
  if (parseDocument(text, 'BR') === null) return 0.6;
  return /^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/.test(text) ? 1 : 0.8;
}

/** Returns whether a value is a date and time with or without a zone; null for a day without a time. */
export function instantKind(value: Scalar): 'zoned' | 'local' | null {
  const text = String(value).trim();
  if (text.length > 60) return null;
  const isEpoch = /^\d{10}(?:\.\d+)?$|^\d{13}$|^\d{16}$/.test(text);
  if (!isEpoch && !dateTimeShape.test(text)) return null;
  const read = readDate(value);
  if ('iso' in read) return !isEpoch || /^20(?:1[2-9]|[23])/.test(read.iso) ? 'zoned' : null;
  return read.problem === 'zone_unknown' ? 'local' : null;
}

const notPeople =
  /\b(?:ltda|s\/?a|eireli|inc|llc|gmbh|corp|company|lead|oportunidade|opportunity|pedido|order|negocio|deal|form|formulario|contact us|fale conosco|venda|plano)\b/i;

/** Family names of one character. */
const isWordAlone = (text: string): boolean => /^[\p{sc=Han}\p{sc=Hangul}]$/u.test(text);

/** Returns how much a text looks like the name of a person: 0 to 1. */
export function nameLikeness(text: string): number {
  if (
    text.length > 80 ||
    (text.length < 2 && !isWordAlone(text)) ||
    /[\d@#/\\<>{}|_:;?!=]/.test(text)
  )
    return 0;
  if (!/^\p{L}/u.test(text) || notPeople.test(text.normalize('NFKD').replace(/\p{M}/gu, '')))
    return 0;
  const words = text.trim().split(/\s+/);
  if (/^(?:novo|nova|nuevo|nueva|new)$/i.test(words[0] ?? '')) return 0;
  if (words.length > 7 || / [-–] /.test(text)) return 0;
  return words.length > 1 ? 1 : 0.8;
}

// A decoder writes the kind before what is more than text: `[image] my roof https://…`.
const kindOfMessage = /^\[\p{L}[\p{L} _]{0,39}\](?:\s|$)/u;

/** Returns how much a text looks like a message: 0 to 1. */
export function proseLikeness(text: string): number {
  if (!/\p{L}{2}/u.test(text) || isEmail(text) || isUrl(text) || isUuid(text)) return 0;
  if (/^[\w.:/+=-]*\d[\w.:/+=-]*$/.test(text) || instantKind(text) !== null) return 0;
  if (/^[{[]/.test(text) && !kindOfMessage.test(text)) return 0;
  return /\s/.test(text) ? 1 : 0.75;
}

/** Whether a text is short, such as the name of a campaign. */
export const isShortText = (text: string): boolean =>
  text.length <= 120 &&
  /[\p{L}\d]/u.test(text) &&
  !isUrl(text) &&
  !isEmail(text) &&
  !/\n/.test(text);

/** Returns how much a text looks like the name of an event type: 0 to 1. */
export function typeLikeness(text: string): number {
  if (text.length > 80 || !/^\p{L}/u.test(text) || isUrl(text) || isEmail(text) || isUuid(text))
    return 0;
  if (/^(?:arn|urn):/i.test(text)) return 0;
  if (/^[\p{L}\d]+(?:[.:/_ -][\p{L}\d]+)+$/u.test(text))
    return text.split(' ').length > 4 ? 0.5 : 1;
  return /^[\p{L}\d]+$/u.test(text) ? 0.8 : 0.5;
}

/** Whether a text can be an id: no spaces, at most 200 characters, and no placeholder. */
export const isIdentifier = (text: string): boolean =>
  text.length <= 200 &&
  /^[^\s@,]+$/.test(text) &&
  /[1-9a-f]/i.test(text) &&
  !isPlaceholder(text, 'identity');
