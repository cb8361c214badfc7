/** Finds the country that a phone number belongs to. */
import { phoneRegionOf } from '../src/domain/people/phone-region.ts';
import { textOf, type Leaf } from './leaves/leaf.ts';

const maxCountries = 50;
const countryName =
  /^(?:country|pais|country ?code|country ?iso|country ?short ?name|pais ?iso|iso)$/;

/** Returns the leaves that name a country. */
export const countryLeaves = (leaves: readonly Leaf[]): Leaf[] =>
  leaves.filter(isCountry).slice(0, maxCountries);

/** Returns the country nearest to a leaf; null when there is none, or several that differ. */
export function nearestCountry(leaf: Leaf, allCountries: readonly Leaf[]): Leaf | null {
  const countries = allCountries.filter((each) => each.outside === leaf.outside);
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
