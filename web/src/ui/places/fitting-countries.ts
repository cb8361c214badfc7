/** Finds the countries in which a text is a phone number. */
import type { CountryCode } from 'libphonenumber-js/min';
import { regionsOfLanguages } from './regions.ts';

export type FittingCountry = { readonly region: string; readonly number: string };

/** More offers than these would be a guess. */
const maxOffers = 2;

/** Large markets, for a browser whose languages say nothing about the sender. */
const likely = 'BR US MX ES PT AR CO CL PE IN ID GB FR DE IT NL PL TR JP KR VN'.split(' ');

/** Loaded only here: the numbering plans take 80 kB. */
const numberingPlans = () => import('libphonenumber-js/min');

/** The likely countries in which the text is a number, those of the browser first. */
export async function fittingCountries(
  text: string,
  languages: readonly string[],
): Promise<FittingCountry[]> {
  const { default: parsePhoneNumber } = await numberingPlans();
  const candidates = new Set([...regionsOfLanguages(languages), ...likely]);
  return [...candidates]
    .flatMap((region) => {
      const read = parsePhoneNumber(text, {
        defaultCountry: region as CountryCode,
        extract: false,
      });
      return read?.isValid() && read.country === region
        ? [{ region, number: read.formatInternational() }]
        : [];
    })
    .slice(0, maxOffers);
}
