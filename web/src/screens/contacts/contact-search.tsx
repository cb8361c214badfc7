/** The contact search: its state in the URL, and its fields. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import type { Request } from '../../api/client.ts';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { useDebounce } from '../../ui/forms/use-debounce.ts';
import { useChannels } from './resource-names.ts';
import styles from './contacts.module.css';

const kinds = ['any', 'name', 'phone', 'email', 'document', 'externalId'] as const;
type Kind = (typeof kinds)[number];
type Looked = Exclude<Kind, 'any'>;

type Query = NonNullable<Request<'listContacts'>['query']>;

/** Guesses the kind of identity from plain input. */
function guessKind(text: string): Looked {
  if (text.includes('@')) return 'email';
  if (/^\d{3}\.\d{3}\.\d{3}-\d{2}$|^\d{2}\.\d{3}\.\d{3}\/\d{4}-\d{2}$/.test(text))
    return 'document';
  const isNumber = /^[+\d\s().-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= 8;
  return isNumber ? 'phone' : 'name';
}

/** The API takes comma-separated lists. */
export function queryOf(text: string, kind: Kind): Query {
  const wanted = text.trim().slice(0, 500);
  if (wanted === '') return {};
  const looked = kind === 'any' ? guessKind(wanted) : kind;
  return looked === 'name' ? { search: wanted } : { [looked]: [wanted] };
}

const perPage = 20;

export function useContactSearch() {
  const [params, setParams] = useSearchParams();
  const text = params.get('q') ?? '';
  const kind = kinds.find((one) => one === params.get('in')) ?? 'any';
  const channel = params.get('channel');
  const page = Math.max(1, Number(params.get('page')) || 1);
  const order = params.get('order') === 'createdAt' ? 'createdAt' : '-createdAt';

  /** Null removes it. Typing adds no history entries. */
  function change(next: Readonly<Record<string, string | null>>, { replace = false } = {}) {
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries({ page: null, ...next })) {
          if (value === null || value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace },
    );
  }

  const query: Query = {
    ...queryOf(text, kind),
    ...(channel !== null && { channelId: [channel] }),
    current_page: page,
    per_page: perPage,
    sort_by: order,
  };
  return { text, kind, channel, order, query, change };
}

type Search = ReturnType<typeof useContactSearch>;
const pauseMs = 300;

export function SearchFields({ search }: { readonly search: Search }) {
  const { formatMessage } = useIntl();
  const { channels } = useChannels();
  const { kind, channel, change } = search;
  const all = { id: 'all', label: formatMessage({ id: 'contacts.allChannels' }) };
  return (
    <search className={styles.contactSearch}>
      <SearchText search={search} />
      <Select
        label={formatMessage({ id: 'contacts.searchIn' })}
        choices={kinds.map((id) => ({ id, label: formatMessage({ id: `contacts.in.${id}` }) }))}
        value={kind}
        onChange={(id) => change({ in: id === 'any' ? null : id })}
      />
      {channels.length > 1 && (
        <Select
          label={formatMessage({ id: 'contacts.channel' })}
          choices={[all, ...channels.map(({ id, name }) => ({ id, label: name }))]}
          value={channel ?? all.id}
          onChange={(id) => change({ channel: id === all.id ? null : id })}
        />
      )}
    </search>
  );
}

/** Searches when typing pauses. Follows changes of the URL. */
function SearchText({ search }: { readonly search: Search }) {
  const { formatMessage } = useIntl();
  const [typed, setTyped] = useState(search.text);
  const [sent, setSent] = useState(search.text);
  const [seen, setSeen] = useState(search.text);
  if (search.text !== seen) {
    setSeen(search.text);
    if (search.text !== sent) setTyped(search.text);
  }
  const later = useDebounce(pauseMs);
  const { kind } = search;
  const hint =
    kind === 'any' && typed.trim() !== ''
      ? formatMessage({ id: `contacts.lookedAs.${guessKind(typed.trim())}` })
      : formatMessage({ id: `contacts.searchHint.${kind}` });
  return (
    <TextField
      type="search"
      label={formatMessage({ id: 'contacts.search' })}
      hint={hint}
      value={typed}
      onChange={(value) => {
        setTyped(value);
        later(() => {
          setSent(value);
          search.change({ q: value }, { replace: true });
        });
      }}
    />
  );
}
