/**
 * Countries and time zones: their names in the reader's language, and those of the browser.
 *
 * The country of the browser is that of its first language with a region, or the most likely one of its first language.
 */
import { useQuery } from '@tanstack/react-query';
import { useIntl } from 'react-intl';
import type { Option } from '../forms/field.tsx';
import { fittingCountries, type FittingCountry } from './fitting-countries.ts';
import { phoneRegions, regionsOfLanguages } from './regions.ts';

export const browserRegion = (): string | null =>
  regionsOfLanguages(navigator.languages)[0] ?? null;

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the name of a country in the reader's language, or the code itself. */
export function useCountryName(): (region: string) => string {
  const { formatDisplayName } = useIntl();
  return (region) => formatDisplayName(region, { type: 'region', fallback: 'code' }) ?? region;
}

/** All countries by name. */
export function useCountries(): Option[] {
  const { locale } = useIntl();
  const nameOf = useCountryName();
  return phoneRegions
    .map((id) => ({ id, label: nameOf(id), hint: id }))
    .toSorted((one, other) => one.label.localeCompare(other.label, locale));
}

/** The countries in which the text is a phone number, as far as they are likely; none while they are looked up. */
export function useFittingCountries(text: string | null): readonly FittingCountry[] {
  const { data } = useQuery({
    queryKey: ['fitting countries', text],
    queryFn: () => fittingCountries(text ?? '', navigator.languages),
    enabled: text !== null,
    staleTime: Infinity,
  });
  return data ?? [];
}
