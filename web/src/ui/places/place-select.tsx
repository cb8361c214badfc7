/** Chooses a country or a time zone, or none of them. */
import type { Option } from '../forms/field.tsx';
import { SearchSelect } from '../forms/search-select.tsx';

export type PlaceProps = {
  readonly label: string;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
  /** Empty for none. One that is no choice is shown as it is. */
  readonly value: string;
  readonly onChange: (place: string) => void;
  /** The name of the option for none; absent: one must be chosen. */
  readonly noneLabel?: string;
};

type Props = PlaceProps & { readonly none: string; readonly choices: readonly Option[] };

/** An option needs an id. */
const unsetId = 'none';

export function PlaceSelect({ noneLabel, value, onChange, choices, ...props }: Props) {
  const unset = noneLabel === undefined ? [] : [{ id: unsetId, label: noneLabel }];
  const isKnown = value === '' || choices.some(({ id }) => id === value);
  const own = isKnown ? [] : [{ id: value, label: value }];
  return (
    <SearchSelect
      {...props}
      choices={[...unset, ...own, ...choices]}
      value={value !== '' ? value : noneLabel === undefined ? null : unsetId}
      onChange={(id) => onChange(id === unsetId ? '' : id)}
    />
  );
}
