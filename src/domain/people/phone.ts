/**
 * Phone numbers: parsing to E.164, and the key that identifies a person.
 *
 * Promises: parsing keeps the digits as given. The key is the same for both spellings of a Brazilian mobile
 * number (with and without the ninth digit). Only the default region is assumed; no other area or country code
 * is guessed.
 * Must never: throw.
 *
 * The `max` metadata (157 KB in memory) knows number types. It distinguishes a Brazilian number without a
 * country code from a foreign one without a plus; the smaller sets accept both readings.
 */
import parsePhoneNumber, {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
} from 'libphonenumber-js/max';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';
import { isMessengerAddress, plainPhone } from './phone-text.ts';
import { isPlaceholderPhone, isUnassigned, mayBePlaceholder } from './placeholder-numbers.ts';

// Area codes in use: https://www.gov.br/anatel, numbering plan (67 codes).
const areaCodes = '1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9]';
// Optional country code, trunk zero, and two digits of a carrier.
const brazilianText = new RegExp(`^(?:55)?(?:0(?:[1-9]\\d)?)?(${areaCodes})([2-9]\\d{7}|9\\d{8})$`);
const withoutNinth = new RegExp(`^\\+55(${areaCodes})([6-9]\\d{7})$`);

type PhoneReading =
  | { readonly kind: 'number'; readonly e164: string }
  /** `placeholder`: a number that nobody has. */
  | { readonly kind: 'placeholder' | 'invalid' };

/** Reads a number as E.164. `region` (two letters) is the region of a number without a country code. */
export function readPhone(text: string, region: string | null): PhoneReading {
  const e164 = parseAny(text, region);
  if (e164 === null) return { kind: isUnassigned(text) ? 'placeholder' : 'invalid' };
  if (!mayBePlaceholder(e164)) return { kind: 'number', e164 };
  return isPlaceholderPhone(splitPhone(e164)) ? { kind: 'placeholder' } : { kind: 'number', e164 };
}

/** Returns the number in E.164, or null when it is none or a placeholder. */
export function parsePhone(text: string, region: string | null): string | null {
  const read = readPhone(text, region);
  return read.kind === 'number' ? read.e164 : null;
}

/** Parses also, with a plus, a number that only a messenger knows, so that its contact is found. */
export function parseStoredPhone(text: string, region: string | null): string | null {
  const found = parsePhone(text, region);
  if (found !== null) return found;
  const bare = plainPhone(text);
  return bare?.startsWith('+') ? readShape(bare.replace(/\D/g, '')) : null;
}

function parseAny(text: string, region: string | null): string | null {
  const bare = plainPhone(text);
  if (bare === null) return null;
  const digits = bare.replace(/\D/g, '');
  const explicit = bare.startsWith('+') ? bare : international(digits);
  if (explicit !== null) {
    const found = readExplicit(explicit) ?? (isMessengerAddress(text) ? readShape(digits) : null);
    if (found !== null || bare.startsWith('+')) return found;
  }
  return readNational(bare, digits, region);
}

/** Whether phone numbers can be parsed for this region. */
export const isPhoneRegion = (region: string): boolean => isSupportedCountry(region);

/**
 * Returns the key that identifies the owner. Brazilian mobile numbers get the ninth digit (an eight-digit
 * subscriber number that starts with 6 to 9 is a mobile number from before it); landlines (2 to 5) are unchanged. Numbers of Benin and
 * mobile numbers of the Ivory Coast from before their renumbering, which messengers keep, get the two digits that it added.
 */
export function canonicalPhone(e164: string): string {
  return e164
    .replace(withoutNinth, '+55$19$2')
    .replace(/^\+229(\d{8})$/, '+22901$1')
    .replace(
      oldIvorian,
      (_, number: string, second: string) => `+225${operatorOf(second)}${number}`,
    );
}

// Renumbered on 2021-01-31 (ARTCI); landlines began with 2 and 3. The second digit names the operator, and so the prefix.
const oldIvorian = /^\+225([014-9]([0-9])\d{6})$/;
const operatorOf = (second: string): string => {
  if (/[789]/.test(second)) return '07';
  return /[456]/.test(second) ? '05' : '01';
};

// From abroad a mobile number has a 9 before the area code, which messengers leave out in part. Area codes begin with 1 to 3.
const argentine = /^\+54(9?)([1-3]\d{9})$/;

/**
 * Returns the keys that identify the owner, that of the given spelling first. An Argentine number has two, because nothing in
 * it tells a mobile from a landline; both have the same owner.
 */
export function phoneKeys(e164: string): readonly string[] {
  const [, nine, national] = argentine.exec(e164) ?? [];
  if (national === undefined) return [canonicalPhone(e164)];
  return [e164, nine === '9' ? `+54${national}` : `+549${national}`];
}

const withNinth = new RegExp(`^\\+55(${areaCodes})9([6-9]\\d{7})$`);
const mexican = /^\+52(1?)([2-9]\d{9})$/;

/** Returns the digits of the number as people and messengers write them: with and without the digit that some leave out. */
export function spellingsOf(e164: string): readonly string[] {
  const spellings = [
    ...phoneKeys(e164),
    e164.replace(withNinth, '+55$1$2'),
    e164.replace(mexican, '+52$2'),
    e164.replace(mexican, '+521$2'),
  ];
  return [...new Set([e164, ...spellings])].map((spelling) => spelling.replaceAll(/\D/g, ''));
}

/** Returns the E.164 numbers that these digits may stand for: with their country code, or in any country. */
export function numbersWith(digits: string): string[] {
  const codes = new Set(getCountries().map((country) => getCountryCallingCode(country)));
  return [`+${digits}`, ...[...codes].map((code) => `+${code}${digits}`)];
}

/** Returns the country code without the plus, and the national digits. */
export function splitPhone(e164: string): { ddi: string; national: string } {
  const parsed = parse(e164, null);
  if (parsed) return { ddi: parsed.countryCallingCode, national: parsed.nationalNumber };
  return { ddi: '', national: e164.replace(/\D/g, '') };
}

const international = (digits: string): string | null =>
  digits.startsWith('00') ? `+${digits.slice(2)}` : null;

function readExplicit(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  const brazilian = /^55(?:0(?:[1-9]\d)?)?\d{10,11}$/.test(digits) ? readBrazilian(digits) : null;
  if (brazilian !== null) return brazilian;
  const parsed = parse(readMexican(digits, '52') ?? text, null);
  return parsed?.isPossible() && isWhole(parsed) ? parsed.number : null;
}

/**
 * Until 2019 a Mexican mobile number had 1 after the country code, which messengers still send, and callers within the country began
 * with 01, 044 or 045. Returns null for any other number.
 */
function readMexican(digits: string, code: '52' | ''): string | null {
  const national = digits.startsWith(code) ? digits.slice(code.length) : '';
  const prefix = code === '' ? /^(?:01|044|045)(\d{10})$/ : /^(?:1|01|044|045)(\d{10})$/;
  const [, bare] = prefix.exec(national) ?? [];
  return bare === undefined ? null : `+52${bare}`;
}

/** The address of a messenger may be a number from before a change of the numbering plan, which the library does not know. */
const readShape = (digits: string): string | null =>
  /^[1-9]\d{6,14}$/.test(digits) && parse(`+${digits}`, null) ? `+${digits}` : null;

function readNational(bare: string, digits: string, region: string | null): string | null {
  const brazilian = region === 'BR' ? readBrazilian(digits) : null;
  if (brazilian !== null) return brazilian;
  const mexican = region === 'MX' ? readMexican(digits, '') : null;
  const national = region === null ? null : parse(mexican ?? bare, region);
  if (national?.isValid() && isWhole(national)) return national.number;
  const foreign = digits.length > 10 ? readForeign(digits) : null;
  if (foreign !== null) return foreign;
  return national?.isPossible() && national.countryCallingCode !== '55' ? national.number : null;
}

/** Reads a foreign number without its plus, as messengers write it. With 10 digits or fewer it may be a local number. */
function readForeign(digits: string): string | null {
  const brazilian = /^55\d{10,11}$/.test(digits) ? readBrazilian(digits) : null;
  if (brazilian !== null) return brazilian;
  const phone = parse(readMexican(digits, '52') ?? `+${digits}`, null);
  return phone?.isValid() && isWhole(phone) ? phone.number : null;
}

function readBrazilian(digits: string): string | null {
  const [, area, subscriber] = brazilianText.exec(digits) ?? [];
  return area === undefined || subscriber === undefined ? null : `+55${area}${subscriber}`;
}

// A Brazilian subscriber number without area code parses as a premium number of nine digits.
const isWhole = (phone: PhoneNumber): boolean =>
  phone.countryCallingCode !== '55' || phone.nationalNumber.length >= 10;

function parse(text: string, region: string | null): PhoneNumber | undefined {
  const defaultCountry = region !== null && isSupportedCountry(region) ? region : undefined;
  return parsePhoneNumber(text, options(defaultCountry));
}

const options = (defaultCountry: CountryCode | undefined) => ({
  ...(defaultCountry && { defaultCountry }),
  extract: false,
});
