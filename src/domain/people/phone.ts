/**
 * Telephone numbers: how a text is read as E.164, and the key by which a number identifies a person.
 *
 * Promises: what is read keeps the digits that were given; the key is the same for both spellings of a Brazilian
 * mobile (with and without its ninth digit); no area or country code is ever guessed beyond the default region.
 * Must never: throw, whatever the text.
 *
 * The `max` metadata (157 KB in memory) knows the number types, which tells a Brazilian number without a country code
 * from a foreign one without a plus; the smaller sets accept both readings.
 */
import parsePhoneNumber, {
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
} from 'libphonenumber-js/max';
import type { CountryCode, PhoneNumber } from 'libphonenumber-js/max';

// Area codes in use: https://www.gov.br/anatel, plan of numbering (67 codes).
const areaCodes = '1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9]';
// With the country code, a trunk zero, or a trunk zero and the two digits of a carrier.
const brazilianText = new RegExp(`^(?:55)?(?:0(?:[1-9]\\d)?)?(${areaCodes})([2-9]\\d{7}|9\\d{8})$`);
const withoutNinth = new RegExp(`^\\+55(${areaCodes})([6-9]\\d{7})$`);

// The longest number has 15 digits; this leaves room for a scheme, separators and an extension.
const maxTextLength = 64;

/** The number in E.164, or null. `region` is where a number without a country code belongs (two letters). */
export function parsePhone(text: string, region: string | null): string | null {
  const bare = strip(text);
  if (bare === null) return null;
  const digits = bare.replace(/\D/g, '');
  const explicit = bare.startsWith('+') ? bare : international(digits);
  if (explicit !== null) {
    const found = readExplicit(explicit);
    if (found !== null || bare.startsWith('+')) return found;
  }
  return readNational(bare, digits, region);
}

/** Whether phone numbers can be read for this region. */
export const isPhoneRegion = (region: string): boolean => isSupportedCountry(region);

/**
 * The key of a number's owner. Brazilian mobiles always have the ninth digit (a subscriber number of eight digits that
 * starts with 6 to 9 is a mobile from before it); landlines (2 to 5) and other countries stay as they are.
 */
export function canonicalPhone(e164: string): string {
  return e164.replace(withoutNinth, '+55$19$2');
}

/** The numbers that these digits may be in whole: with their country code, or in any country. */
export function numbersWith(digits: string): string[] {
  const codes = new Set(getCountries().map((country) => getCountryCallingCode(country)));
  return [`+${digits}`, ...[...codes].map((code) => `+${code}${digits}`)];
}

/** Country digits without the plus, and the national digits. */
export function splitPhone(e164: string): { ddi: string; national: string } {
  const parsed = parse(e164, null);
  if (parsed) return { ddi: parsed.countryCallingCode, national: parsed.nationalNumber };
  return { ddi: '', national: e164.replace(/\D/g, '') };
}

// A messenger's address has the country code; what stands before any other @ is no number.
const messenger = /^\+?(\d+)(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/i;
const parameters = /;[a-z-]+=[^;]*/gi;
const extension =
  /[ ,;(]*(?:ext(?:ens(?:ion|ão|ión))?|ramal|rml|int(?:erno)?|anexo|x|#)[ .:]*\d{1,6}\)?$/i;

function strip(text: string): string | null {
  if (text.length > maxTextLength) return null;
  const bare = text
    .normalize('NFKC')
    .trim()
    .replace(/^(?:whatsapp|tel|sms|callto|p):(?:\/\/)?/i, '')
    .replace(messenger, '+$1')
    .replace(/^(?:https?:\/\/)?wa\.me\/\+?(?=\d)/i, '+')
    .replace(parameters, '')
    .replace(extension, '')
    // Brazil writes xx where the caller puts the digits of a carrier: (0xx11).
    .replace(/^(\(?0) ?xx ?/i, '$1')
    .trim();
  return /\d/.test(bare) && !bare.includes('@') && !/^[^+\d(]/.test(bare) ? bare : null;
}

const international = (digits: string): string | null =>
  digits.startsWith('00') ? `+${digits.slice(2)}` : null;

function readExplicit(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  const brazilian = /^55(?:0(?:[1-9]\d)?)?\d{10,11}$/.test(digits) ? readBrazilian(digits) : null;
  if (brazilian !== null) return brazilian;
  // Mexican mobiles lost their 1 in 2019; messengers still send it.
  const parsed = parse(/^521\d{10}$/.test(digits) ? `+52${digits.slice(3)}` : text, null);
  return parsed?.isPossible() && isWhole(parsed) ? parsed.number : null;
}

function readNational(bare: string, digits: string, region: string | null): string | null {
  const brazilian = region === 'BR' ? readBrazilian(digits) : null;
  if (brazilian !== null) return brazilian;
  const national = region === null ? null : parse(bare, region);
  if (national?.isValid() && isWhole(national)) return national.number;
  // A foreign number without its plus; with 10 digits or fewer it could be anybody's local number.
  const foreign = digits.length > 10 ? parse(`+${digits}`, null) : null;
  if (foreign?.isValid() && isWhole(foreign)) return foreign.number;
  return national?.isPossible() && national.countryCallingCode !== '55' ? national.number : null;
}

function readBrazilian(digits: string): string | null {
  const [, area, subscriber] = brazilianText.exec(digits) ?? [];
  return area === undefined || subscriber === undefined ? null : `+55${area}${subscriber}`;
}

// A Brazilian subscriber number without its area code passes for a premium number of nine digits.
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
