/** What the list shows: the view, a search and filters. */
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { useAgentId } from '../../session/agent.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Checkbox, Select, TextField, type Option } from '../../ui/forms/field.tsx';
import { SegmentedControl } from '../../ui/forms/segmented-control.tsx';
import { useDebounce } from '../../ui/forms/use-debounce.ts';
import { maxSearchLength, views, waitingStatuses, type InboxQuery } from './inbox-query.ts';
import styles from './inbox.module.css';

type Props = {
  readonly query: InboxQuery;
  readonly onChange: (changes: Readonly<Record<string, string | null>>) => void;
};

const searchPauseMs = 300;

export function ChatFilters({ query, onChange }: Props) {
  const { formatMessage } = useIntl();
  const [isOpen, setOpen] = useState(hasFilters(query));
  const label = formatMessage({ id: 'inbox.filter' });
  return (
    <div className={styles.inboxFilters}>
      <div data-part="search" className={styles.inboxSearch}>
        <SearchField query={query} onChange={onChange} />
        <IconButton label={label} aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <ListFilter aria-hidden />
        </IconButton>
      </div>
      {isOpen && <Filters query={query} onChange={onChange} />}
      {query.search === '' && <Views query={query} onChange={onChange} />}
    </div>
  );
}

const hasFilters = ({ isUnread, sectorId, labelId, channelId }: InboxQuery): boolean =>
  isUnread || [sectorId, labelId, channelId].some((id) => id !== null);

function SearchField({ query, onChange }: Props) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(query.search);
  const [sent, setSent] = useState(query.search);
  const [seen, setSeen] = useState(query.search);
  // Changed by a link or by the history, not by this field.
  if (query.search !== seen) {
    setSeen(query.search);
    if (query.search !== sent) setText(query.search);
  }
  const later = useDebounce(searchPauseMs);
  return (
    <TextField
      label={formatMessage({ id: 'inbox.search' })}
      isLabelHidden
      type="search"
      placeholder={formatMessage({ id: 'inbox.search' })}
      maxLength={maxSearchLength}
      value={text}
      onChange={(next) => {
        setText(next);
        later(() => {
          setSent(next);
          onChange({ q: next });
        });
      }}
    />
  );
}

type Counts = Readonly<Record<string, number>>;

function Views({ query, onChange }: Props) {
  const { formatMessage } = useIntl();
  const hasAgent = useAgentId() !== null;
  const summary = useApiQuery('countUnreadChats', {}).data;
  const unread = (summary?.by_status ?? {}) as Counts;
  const counts: Counts = {
    waiting: waitingStatuses.reduce((sum, status) => sum + (unread[status] ?? 0), 0),
    in_chat: unread.in_chat ?? 0,
  };
  return (
    <SegmentedControl
      label={formatMessage({ id: 'inbox.view' })}
      segments={views
        .filter((view) => hasAgent || view !== 'mine')
        .map((id) => ({
          id,
          label: formatMessage({ id: `inbox.view.${id}` }, { unread: counts[id] ?? 0 }),
        }))}
      value={query.view}
      onChange={(view) => onChange({ view })}
    />
  );
}

const any = 'any';

function Filters({ query, onChange }: Props) {
  const { formatMessage } = useIntl();
  const sectors = useApiQuery('listChatSectors', {}).data ?? [];
  const labels = useApiQuery('listChatLabels', {}).data ?? [];
  const channels = useApiQuery('listChatWorkers', {}).data ?? [];
  const choice = (name: string, value: string | null, choices: readonly Option[]) => (
    <Select
      label={formatMessage({ id: `inbox.filter.${name}` })}
      choices={[{ id: any, label: formatMessage({ id: 'inbox.filter.any' }) }, ...choices]}
      value={value ?? any}
      onChange={(id) => onChange({ [name]: id === any ? null : id })}
    />
  );
  return (
    <div className={styles.inboxFilterFields}>
      {choice(
        'sector',
        query.sectorId,
        sectors.map((one) => ({ id: one.sector_id, label: one.name })),
      )}
      {choice(
        'label',
        query.labelId,
        labels.map((one) => ({ id: one.label_template_id, label: one.label })),
      )}
      {choice(
        'channel',
        query.channelId,
        channels.map((one) => ({ id: one.worker_id, label: one.name })),
      )}
      <Checkbox
        isSelected={query.isUnread}
        onChange={(isUnread) => onChange({ unread: isUnread ? '1' : null })}
      >
        {formatMessage({ id: 'inbox.filter.unread' })}
      </Checkbox>
      {hasFilters(query) && (
        <div>
          <Button
            isSmall
            onPress={() => onChange({ unread: null, sector: null, label: null, channel: null })}
          >
            <X aria-hidden />
            {formatMessage({ id: 'inbox.filter.clear' })}
          </Button>
        </div>
      )}
    </div>
  );
}
