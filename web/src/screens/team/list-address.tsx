/** The search text and the page of a list, as they are in the URL. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { TextField } from '../../ui/forms/field.tsx';
import { useDebounce } from '../../ui/forms/use-debounce.ts';

const perPage = 50;
const maxLength = 100;
const searchPauseMs = 300;

export function useListAddress() {
  const [params, setParams] = useSearchParams();
  const search = (params.get('q') ?? '').slice(0, maxLength);
  const page = Math.max(1, Number(params.get('page')) || 1);
  return {
    search,
    paging: { current_page: page, per_page: perPage },
    setSearch: (text: string) => setParams(text === '' ? {} : { q: text }, { replace: true }),
    setPage: (next: number) =>
      setParams({ ...(search !== '' && { q: search }), page: String(next) }),
  };
}

type Props = Pick<ReturnType<typeof useListAddress>, 'search' | 'setSearch'>;

export function SearchByName({ search, setSearch }: Props) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(search);
  const later = useDebounce(searchPauseMs);
  const label = formatMessage({ id: 'team.search' });
  return (
    <TextField
      label={label}
      isLabelHidden
      type="search"
      placeholder={label}
      maxLength={maxLength}
      value={text}
      onChange={(next) => {
        setText(next);
        later(() => setSearch(next));
      }}
    />
  );
}
