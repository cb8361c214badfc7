/**
 * Phone region of a text: two or three letters (BR, BRA), a language with its country (pt-BR), a name in
 * English, Portuguese or Spanish, or a dial code (+55). A country is never guessed.
 */
import iso from 'iso-3166-1';
import { getCountries, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/max';
import { foldName } from './fold-name.ts';

const maxTextLength = 64;
const languages = ['en', 'pt', 'es'];

// Common names that are not in the Unicode CLDR, the source of Intl.DisplayNames.
const aliases: Readonly<Record<string, string>> = {
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  inglaterra: 'GB',
  eua: 'US',
  'e u a': 'US',
  'u s a': 'US',
  eeuu: 'US',
  'ee uu': 'US',
  'united states of america': 'US',
  'estados unidos da america': 'US',
  'estados unidos de america': 'US',
  holland: 'NL',
  holanda: 'NL',
  'czech republic': 'CZ',
  turkey: 'TR',
};

// For each shared dial code, the country whose national formats the others use too (ITU E.164).
const sharedCodes: Readonly<Record<string, string>> = {
  '1': 'US',
  '7': 'RU',
  '39': 'IT',
  '44': 'GB',
  '47': 'NO',
  '61': 'AU',
  '212': 'MA',
  '262': 'RE',
  '290': 'SH',
  '358': 'FI',
  '590': 'GP',
  '599': 'CW',
};

/** Returns a two-letter region that phone numbers can be parsed for, or null. */
export function phoneRegionOf(text: string): string | null {
  if (text.length > maxTextLength) return null;
  const given = fold(text);
  return readRegion(given) ?? readRegion(given.replace(/ *\(?\+\d{1,3}\)?$/, ''));
}

function readRegion(given: string): string | null {
  const code = /^(?:\+|00)?([1-9]\d{0,2})$/.exec(given)?.[1];
  if (code !== undefined) return sharedCodes[code] ?? regionsByCode().get(code) ?? null;
  const letters = /^(?:[a-z]{2,3}[-_])?([a-z]{2})$/.exec(given)?.[1];
  if (letters !== undefined) return supported(aliases[letters] ?? letters.toUpperCase());
  return (
    supported(iso.whereAlpha3(given.toUpperCase())?.alpha2) ?? regionsByName().get(given) ?? null
  );
}

const supported = (region: string | undefined): string | null =>
  region !== undefined && isSupportedCountry(region) ? region : null;

const fold = (text: string): string => foldName(text.replaceAll('.', ' '));

/** Computes a value at the first call: building the names takes 40 ms. */
function lazy<Value>(compute: () => Value): () => Value {
  let known: { value: Value } | null = null;
  return () => (known ??= { value: compute() }).value;
}

const regionsByCode = lazy(
  () => new Map(getCountries().map((region) => [String(getCountryCallingCode(region)), region])),
);

const regionsByName = lazy(() => {
  const names = languages.flatMap((language) => {
    const display = new Intl.DisplayNames(language, { type: 'region' });
    return getCountries().map((region) => [fold(display.of(region) ?? region), region] as const);
  });
  return new Map<string, string>([...names, ...Object.entries(aliases)]);
});
