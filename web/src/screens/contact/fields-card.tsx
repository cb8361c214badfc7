/** The fields of a contact: values, sources and pins. */
import { Pin, PinOff } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useInvalidate } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { CopyButton } from '../../ui/text/copyable-text.tsx';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { compareFields, useFieldName } from '../contacts/contact-names.ts';
import { changePin, contactOperations, type Contact } from '../contacts/use-contact.ts';
import { ContactValue } from '../contacts/contact-value.tsx';
import { TableCard } from '../contacts/table-card.tsx';
import styles from '../contacts/contacts.module.css';

type Register = Contact['registers'][number];

/** Their source is then said once. */
const hasSameSource = (a: Register, b: Register): boolean =>
  (['by', 'at', 'eventId', 'contactId', 'rank'] as const).every((name) => a[name] === b[name]);

/** More fields are shown on request. */
const shownAtFirst = 40;

export function FieldsCard({ contact }: { readonly contact: Contact }) {
  const { formatMessage } = useIntl();
  const fieldName = useFieldName();
  const mayChange = useHasScope('operator') && contact.status === 'active';
  const [isWhole, setWhole] = useState(false);
  const rows = contact.registers.toSorted((a, b) => compareFields(a.field, b.field));
  const shown = isWhole ? rows : rows.slice(0, shownAtFirst);
  const [first] = rows;
  const isFromOne = first !== undefined && rows.every((one) => hasSameSource(one, first));
  const columns: Column<Register>[] = [
    {
      id: 'field',
      label: formatMessage({ id: 'contacts.column.field' }),
      width: '21%',
      cell: ({ field }) => (
        <span className="soft">
          <BreakableText>{fieldName(field)}</BreakableText>
        </span>
      ),
    },
    {
      id: 'value',
      label: formatMessage({ id: 'contacts.column.value' }),
      width: isFromOne ? '71%' : '42%',
      onPhone: 'line',
      cell: (register) => <Shown register={register} />,
    },
    ...(isFromOne
      ? []
      : [
          {
            id: 'from',
            label: formatMessage({ id: 'contacts.column.from' }),
            width: '29.5%',
            onPhone: 'line' as const,
            cell: (register: Register) => <Origin register={register} />,
          },
        ]),
    ...(mayChange
      ? [
          {
            id: 'pin',
            label: formatMessage({ id: 'contacts.column.pin' }),
            isEnd: true,
            onPhone: 'corner' as const,
            cell: (register: Register) => <PinButton id={contact.id} register={register} />,
          },
        ]
      : []),
  ];
  return (
    <TableCard title={formatMessage({ id: 'contacts.known' })}>
      {isFromOne && <Origin register={first} />}
      <div className={styles.plainTable}>
        <Table
          label={formatMessage({ id: 'contacts.known' })}
          columns={columns}
          rows={shown}
          idOf={({ field }) => field}
        />
      </div>
      {rows.length > shownAtFirst && (
        <div>
          <Button isSmall onPress={() => setWhole(!isWhole)}>
            {formatMessage(
              { id: isWhole ? 'contacts.fewerFields' : 'contacts.allFields' },
              { count: rows.length },
            )}
          </Button>
        </div>
      )}
    </TableCard>
  );
}

function Shown({ register: { field, value, pinned, beneath } }: { readonly register: Register }) {
  const { formatMessage } = useIntl();
  const fieldName = useFieldName();
  return (
    <span className="stack tight">
      <span className="row">
        <ContactValue>{value}</ContactValue>
        <CopyButton
          text={value}
          label={formatMessage({ id: 'contacts.copy' }, { field: fieldName(field) })}
        />
        {pinned && <Badge tone="info">{formatMessage({ id: 'contacts.pinned' })}</Badge>}
      </span>
      {beneath !== null && (
        <span className="small soft">
          {formatMessage({ id: 'contacts.beneath' })} <ContactValue>{beneath}</ContactValue>
        </span>
      )}
    </span>
  );
}

/** The source and date of a value; a value of a merged contact links there. */
function Origin({ register }: { readonly register: Register }) {
  const { formatMessage } = useIntl();
  const { by, at, eventId, contactId } = register;
  const who = formatMessage({ id: `contacts.by.${by}` });
  return (
    <span className="stack tight small">
      <span>
        {eventId === null ? who : <Link href={`/events/${eventId}`}>{who}</Link>}
        {at !== null && (
          <>
            {', '}
            <RelativeTime at={at} />
          </>
        )}
      </span>
      {contactId !== null && (
        <Link href={`/contacts/${contactId}`}>{formatMessage({ id: 'contacts.ofMerged' })}</Link>
      )}
    </span>
  );
}

function PinButton({ id, register }: { readonly id: string; readonly register: Register }) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const [isBusy, setBusy] = useState(false);
  const fieldName = useFieldName();
  const { field, pinned } = register;
  const textOf = (word: string) => formatMessage({ id: word }, { field: fieldName(field) });

  async function turn(isPinned: boolean, undo?: () => void) {
    setBusy(true);
    try {
      await changePin(id, field, isPinned);
      showToast(
        textOf(isPinned ? 'contacts.pinnedNow' : 'contacts.unpinnedNow'),
        undo,
        `contact pin ${id} ${field}`,
      );
    } catch (error) {
      showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
    }
    refresh(...contactOperations);
    setBusy(false);
  }

  return (
    <IconButton
      isSmall
      isDisabled={isBusy}
      label={textOf(pinned ? 'contacts.unpin' : 'contacts.pin')}
      onPress={() => void turn(!pinned, () => void turn(pinned))}
    >
      {pinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
    </IconButton>
  );
}
