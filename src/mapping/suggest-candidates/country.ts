/** Where the payload says which country a phone number belongs to. */
import { phoneRegionOf } from '../../domain/people/phone-region.ts';
import { textOf } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import type { LeafIndex } from './leaf-index.ts';

const maxCountries = 50;
const countryName =
  /^(?:country|pais|country ?code|country ?iso|country ?short ?name|pais ?iso|iso)$/;

/** The leaves that name a country. */
export const countryLeaves = (leaves: readonly Leaf[]): Leaf[] =>
  leaves.filter(isCountry).slice(0, maxCountries);

/** The country nearest to a number; null where there is none, or several that differ. */
export function nearestCountry(leaf: Leaf, survey: LeafIndex): Leaf | null {
  const countries = survey.countries.filter((each) => each.outside === leaf.outside);
  const near = countries.filter((each) => each.owner.startsWith(leaf.owner));
  const found = near.length > 0 ? near : countries;
  const [first] = found;
  const regions = new Set(found.map((each) => phoneRegionOf(textOf(each))));
  return first !== undefined && regions.size === 1 ? first : null;
}

const isCountry = (leaf: Leaf): boolean =>
  leaf.text === null &&
  leaf.names.some(({ reading }) => countryName.test(reading.words.join(' '))) &&
  /^\p{L}/u.test(textOf(leaf)) &&
  phoneRegionOf(textOf(leaf)) !== null;
