/** Chooses a time zone by its IANA name. */
import { useIntl } from 'react-intl';
import { SearchSelect } from '../forms/search-select.tsx';
import { browserZone } from './countries.ts';

type Props = {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  /** Empty: none. Also `+hh:mm`, which the service reads too. */
  readonly value: string;
  readonly onChange: (zone: string) => void;
  /** The name of the option for no zone; absent: a zone must be chosen. */
  readonly noneLabel?: string;
};

/** An option needs an id. */
const unsetId = 'none';

export function ZoneField({ noneLabel, value, onChange, ...props }: Props) {
  const { formatMessage } = useIntl();
  const own = browserZone();
  const names = new Set([
    own,
    ...(value === '' ? [] : [value]),
    ...Intl.supportedValuesOf('timeZone'),
  ]);
  const choices = [...names].map((id) => ({
    id,
    label: id.replaceAll('_', ' '),
    ...(id === own && { hint: formatMessage({ id: 'ui.zone.own' }) }),
  }));
  const unset = noneLabel === undefined ? [] : [{ id: unsetId, label: noneLabel }];
  return (
    <SearchSelect
      {...props}
      none={formatMessage({ id: 'ui.zone.none' })}
      choices={[...unset, ...choices]}
      value={value !== '' ? value : noneLabel === undefined ? null : unsetId}
      onChange={(id) => onChange(id === unsetId ? '' : id)}
    />
  );
}
