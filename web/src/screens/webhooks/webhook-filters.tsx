/** The filters of the webhook list: search, status with counts, and order. */
import { useState } from 'react';
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { useDebounce } from '../../ui/forms/use-debounce.ts';
import { groups, orders, statusesOf, type ListQuery, type Status } from './list-query.ts';
import styles from './webhooks.module.css';

type Counts = Readonly<Record<Status, number>>;

export function WebhookFilters({
  listQuery,
  counts,
}: {
  readonly listQuery: ListQuery;
  readonly counts: Counts | undefined;
}) {
  const { formatMessage, formatNumber } = useIntl();
  const countOf = (group: (typeof groups)[number]) =>
    statusesOf[group].reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
  return (
    <div className={styles.webhookFilters}>
      <SearchField key={listQuery.clearings} listQuery={listQuery} />
      <ToggleButtonGroup
        className={styles.chips}
        aria-label={formatMessage({ id: 'webhooks.byStatus' })}
        selectionMode="single"
        disallowEmptySelection
        selectedKeys={[listQuery.group]}
        onSelectionChange={(keys) => {
          const group = groups.find((one) => keys.has(one));
          if (group) listQuery.choose({ group });
        }}
      >
        {groups.map((group) => (
          <ToggleButton key={group} id={group} className={styles.chip}>
            {formatMessage({ id: `webhooks.group.${group}` })}{' '}
            <span className="soft numbers">{counts ? formatNumber(countOf(group)) : '…'}</span>
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <Select
        label={formatMessage({ id: 'webhooks.order' })}
        isLabelHidden
        choices={orders.map((id) => ({ id, label: formatMessage({ id: `webhooks.order.${id}` }) }))}
        value={listQuery.order}
        onChange={(order) => listQuery.choose({ order })}
      />
    </div>
  );
}

const restMs = 250;

/** Searches when typing pauses. */
function SearchField({ listQuery }: { readonly listQuery: ListQuery }) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(listQuery.search);
  const later = useDebounce(restMs);
  return (
    <TextField
      type="search"
      label={formatMessage({ id: 'webhooks.search' })}
      isLabelHidden
      placeholder={formatMessage({ id: 'webhooks.search' })}
      value={text}
      onChange={(search) => {
        setText(search);
        later(() => listQuery.choose({ search }));
      }}
      maxLength={100}
    />
  );
}
