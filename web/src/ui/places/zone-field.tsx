/** Chooses a time zone. The value is its IANA name, or `+hh:mm`, which the service reads too. */
import { useIntl } from 'react-intl';
import { browserZone } from './countries.ts';
import { PlaceSelect, type PlaceProps } from './place-select.tsx';

export function ZoneField(props: PlaceProps) {
  const { formatMessage } = useIntl();
  const own = browserZone();
  const given = props.value === '' ? [] : [props.value];
  const names = new Set([own, ...given, ...Intl.supportedValuesOf('timeZone')]);
  const choices = [...names].map((id) => ({
    id,
    label: id.replaceAll('_', ' '),
    ...(id === own && { hint: formatMessage({ id: 'ui.zone.own' }) }),
  }));
  return <PlaceSelect {...props} none={formatMessage({ id: 'ui.zone.none' })} choices={choices} />;
}
