/** Chooses a country by its name. */
import { useIntl } from 'react-intl';
import { SearchSelect } from '../forms/search-select.tsx';
import { useCountries } from './countries.ts';

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
  /** Two capital letters; empty for none. */
  readonly value: string;
  readonly onChange: (region: string) => void;
  /** The name of the option for no country; absent: a country must be chosen. */
  readonly noneLabel?: string;
};

/** An option needs an id. */
const unsetId = 'none';

export function CountryField({ noneLabel, value, onChange, ...props }: Props) {
  const { formatMessage } = useIntl();
  const countries = useCountries();
  const unset = noneLabel === undefined ? [] : [{ id: unsetId, label: noneLabel }];
  // A code that is in no list is shown as it is.
  const isKnown = value === '' || countries.some(({ id }) => id === value);
  const own = isKnown ? [] : [{ id: value, label: value }];
  return (
    <SearchSelect
      {...props}
      none={formatMessage({ id: 'ui.country.none' })}
      choices={[...unset, ...own, ...countries]}
      value={value !== '' ? value : noneLabel === undefined ? null : unsetId}
      onChange={(id) => onChange(id === unsetId ? '' : id)}
    />
  );
}
