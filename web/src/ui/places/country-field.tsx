/** Chooses a country by its name. The value is two capital letters. */
import { useIntl } from 'react-intl';
import { useCountries } from './countries.ts';
import { PlaceSelect, type PlaceProps } from './place-select.tsx';

export function CountryField(props: PlaceProps) {
  const { formatMessage } = useIntl();
  const countries = useCountries();
  return (
    <PlaceSelect {...props} none={formatMessage({ id: 'ui.country.none' })} choices={countries} />
  );
}
