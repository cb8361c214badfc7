/** The search form of events. Text fields apply on Enter or blur; all values are in the URL. */
import { clsx } from 'clsx';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { eventReasons, reasonText } from '../../ui/reasons/reasons.tsx';
import {
  withFilters,
  activeFilters,
  states,
  parseStates,
  type FilterName,
} from './event-filters.ts';
import { SavedSearches } from './saved-searches.tsx';
import { WebhookField } from '../../ui/forms/webhook-field.tsx';
import styles from './events.module.css';

type Changes = Partial<Readonly<Record<FilterName, string>>>;

type Props = {
  readonly address: URLSearchParams;
  readonly onChange: (address: URLSearchParams) => void;
};

const anyReason = 'any';
const rare: readonly FilterName[] = ['reason', 'eventType', 'mappingVersion', 'from', 'to'];

export function FilterBar({ address, onChange }: Props) {
  const { formatMessage } = useIntl();
  const [isOpen, setOpen] = useState(() => rare.some((name) => address.has(name)));
  const set = (changes: Changes) => onChange(withFilters(address, changes));
  const labels = (id: string) => formatMessage({ id: `events.filter.${id}` });
  const value = (name: FilterName) => address.get(name) ?? '';
  const text = (name: FilterName) => (
    <FilterText
      label={labels(name)}
      value={value(name)}
      onCommit={(next) => set({ [name]: next })}
    />
  );
  return (
    <search className="stack tight" aria-label={labels('label')}>
      <div className={styles.eventFilters}>
        <div data-part="search" className={styles.searchBox}>
          <FilterText
            label={labels('search')}
            value={value('search')}
            placeholder={labels('searchExample')}
            maxLength={200}
            onCommit={(search) => set({ search })}
          />
        </div>
        <WebhookField value={value('webhookId')} onChange={(webhookId) => set({ webhookId })} />
      </div>
      <States address={address} onChange={(state) => set({ state })} />
      {isOpen && (
        <div className={clsx(styles.eventFilters, styles.rare)}>
          <FilterText
            type="date"
            label={labels('from')}
            value={value('from').slice(0, 10)}
            onCommit={(from) => set({ from })}
          />
          <FilterText
            type="date"
            label={labels('to')}
            value={value('to').slice(0, 10)}
            onCommit={(to) => set({ to })}
          />
          {text('eventType')}
          <ReasonField value={value('reason')} onChange={(reason) => set({ reason })} />
          {text('mappingVersion')}
        </div>
      )}
      <div className="row">
        <Button isSmall variant="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? <ChevronUp aria-hidden /> : <ChevronDown aria-hidden />}
          {labels(isOpen ? 'less' : 'more')}
        </Button>
        <Narrowings address={address} onRemove={(name) => set({ [name]: '' })} />
        {activeFilters(address).length > 0 && (
          <Button isSmall variant="quiet" onPress={() => onChange(new URLSearchParams())}>
            {labels('clear')}
          </Button>
        )}
        <SavedSearches address={address} onChange={onChange} />
      </div>
    </search>
  );
}

const ofIds = ['contactId', 'parentId'] as const;
const ofValues = ['externalId', 'externalIdPrefix', 'phone', 'email'] as const;

/** Filters that other screens link with and that have no field here. */
function Narrowings({
  address,
  onRemove,
}: {
  readonly address: URLSearchParams;
  readonly onRemove: (name: FilterName) => void;
}) {
  const { formatMessage } = useIntl();
  const values = ofValues.map((name) => [name, address.get(name) ?? ''] as const);
  const shown = [
    ...ofIds.filter((name) => address.has(name)).map((name) => [name, ''] as const),
    ...values.filter(([, value]) => value !== ''),
  ];
  return shown.map(([name, value]) => (
    <Button key={name} isSmall onPress={() => onRemove(name)}>
      {formatMessage({ id: `events.filter.${name}` }, { value })}
      <X aria-hidden />
      <span className="hidden-visually">{formatMessage({ id: 'events.filter.remove' })}</span>
    </Button>
  ));
}

function States({
  address,
  onChange,
}: {
  readonly address: URLSearchParams;
  readonly onChange: (states: string) => void;
}) {
  const { formatMessage } = useIntl();
  return (
    <ToggleButtonGroup
      className={clsx('row', styles.chips)}
      aria-label={formatMessage({ id: 'events.filter.state' })}
      selectionMode="multiple"
      selectedKeys={parseStates(address)}
      onSelectionChange={(keys) => onChange(states.filter((one) => keys.has(one)).join(','))}
    >
      {states.map((state) => (
        <ToggleButton key={state} id={state} className={styles.chip} data-of={state}>
          <span className={styles.dot} aria-hidden />
          {formatMessage({ id: `state.${state}` })}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** A link may contain a reason with an argument; it stays selectable. */
function ReasonField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}) {
  const intl = useIntl();
  const isOther = value !== '' && !eventReasons.some((code) => code === value);
  const codes = isOther ? [value, ...eventReasons] : eventReasons;
  return (
    <Select
      label={intl.formatMessage({ id: 'events.filter.reason' })}
      value={value === '' ? anyReason : value}
      onChange={(id) => onChange(id === anyReason ? '' : id)}
      choices={[
        { id: anyReason, label: intl.formatMessage({ id: 'events.filter.anyReason' }) },
        ...codes.map((code) => ({ id: code, label: reasonText(intl, code) })),
      ]}
    />
  );
}

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly type?: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly onCommit: (value: string) => void;
};

function FilterText({ value, type = 'text', onCommit, ...labels }: TextProps) {
  const [draft, setDraft] = useState(value);
  const [before, setBefore] = useState(value);
  if (before !== value) {
    setBefore(value);
    setDraft(value);
  }
  const commit = (text: string) => {
    if (text.trim() !== value) onCommit(text.trim());
  };
  return (
    <TextField
      {...labels}
      type={type}
      value={draft}
      autoComplete="off"
      onChange={(text) => {
        setDraft(text);
        if (type === 'date') commit(text);
      }}
      onBlur={() => commit(draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit(draft);
      }}
    />
  );
}
