/** The blocklist. Only hashes are stored: a value can be checked, not read. */
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChannels } from '../contacts/resource-names.ts';
import { TableCard } from '../contacts/table-card.tsx';
import styles from '../contacts/contacts.module.css';

type Row = Answer<'listBlocks'>['results'][number];
const perPage = 10;

export function BlocklistCard() {
  const { formatMessage } = useIntl();
  const [params, setParams] = useSearchParams();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [leaving, setLeaving] = useState<Row | null>(null);
  const page = Math.max(1, Number(params.get('blocks')) || 1);
  const query = {
    per_page: perPage,
    current_page: page,
    ...(asked && { [asked.kind]: asked.text }),
  };
  const blocks = useApiQuery('listBlocks', { query }, { keepPrevious: true });
  const columns = useColumns(setLeaving);
  const title = formatMessage({ id: 'contacts.blocks' });
  return (
    <TableCard title={title}>
      <p className="small soft">{formatMessage({ id: 'contacts.blocksLead' })}</p>
      <CheckIdentity onCheck={setAsked} />
      {blocks.isPending && <Loading />}
      {blocks.isError && <ErrorNote error={blocks.error} onRetry={() => void blocks.refetch()} />}
      {blocks.data && asked !== null && (
        <Note tone={blocks.data.pagings.total > 0 ? 'warn' : 'good'} isLive>
          {formatMessage(
            { id: 'contacts.blockAnswer' },
            { value: asked.text, count: blocks.data.pagings.total },
          )}
        </Note>
      )}
      {blocks.data?.results.length === 0 && asked === null && (
        <p className="soft">{formatMessage({ id: 'contacts.noBlocks' })}</p>
      )}
      {blocks.data !== undefined && blocks.data.results.length > 0 && (
        <>
          <div className={styles.plainTable}>
            <Table
              label={title}
              columns={columns}
              rows={blocks.data.results}
              idOf={({ id }) => id}
            />
          </div>
          <Pagination
            pagings={blocks.data.pagings}
            onPage={(next) => {
              params.set('blocks', String(next));
              setParams(params);
            }}
          />
        </>
      )}
      {leaving && <RemoveFromBlocklist block={leaving} onClose={() => setLeaving(null)} />}
    </TableCard>
  );
}

const kinds = ['phone', 'email', 'document'] as const;
type Asked = { readonly kind: (typeof kinds)[number]; readonly text: string };

/** The input stays in this field: personal data must not get into a URL. */
function CheckIdentity({ onCheck }: { readonly onCheck: (asked: Asked | null) => void }) {
  const { formatMessage } = useIntl();
  const [{ kind, text }, setAsked] = useState<Asked>({ kind: 'phone', text: '' });
  function change(next: Asked) {
    setAsked(next);
    onCheck(null);
  }
  return (
    <form
      className={styles.newField}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') onCheck({ kind, text: text.trim() });
      }}
    >
      <Select
        label={formatMessage({ id: 'contacts.column.kind' })}
        choices={kinds.map((id) => ({ id, label: formatMessage({ id: `contacts.field.${id}` }) }))}
        value={kind}
        onChange={(id) => change({ kind: kinds.find((one) => one === id) ?? 'phone', text })}
      />
      <TextField
        label={formatMessage({ id: 'contacts.askBlock' })}
        hint={formatMessage({ id: 'contacts.askBlockHint' })}
        value={text}
        onChange={(next) => change({ kind, text: next })}
        autoComplete="off"
      />
      <Button type="submit" isDisabled={text.trim() === ''}>
        {formatMessage({ id: 'contacts.askBlockButton' })}
      </Button>
    </form>
  );
}

function useColumns(onRemove: (block: Row) => void): Column<Row>[] {
  const { formatMessage } = useIntl();
  const { nameOf } = useChannels();
  const label = (id: string) => formatMessage({ id });
  const kindOf = (kind: string) => label(`contacts.field.${kind}`);
  return [
    {
      id: 'kind',
      label: label('contacts.column.kind'),
      cell: ({ kind }) => kindOf(kind),
    },
    {
      id: 'channel',
      label: label('contacts.channel'),
      onPhone: 'plain',
      cell: ({ channelId }) => nameOf(channelId),
    },
    {
      id: 'since',
      label: label('contacts.column.blockedAt'),
      onPhone: 'named',
      cell: ({ blockedAt }) => <RelativeTime at={blockedAt} />,
    },
    {
      id: 'erasure',
      label: label('contacts.certificate'),
      onPhone: 'named',
      cell: ({ erasureId }) => (
        <Link href={`/contacts/erasures?certificate=${erasureId}`}>
          {label('contacts.openCertificate')}
        </Link>
      ),
    },
    {
      id: 'let',
      label: label('contacts.column.letBack'),
      isEnd: true,
      onPhone: 'corner',
      cell: (block) => (
        <IconButton
          isSmall
          label={formatMessage({ id: 'contacts.letBack' }, { kind: kindOf(block.kind) })}
          onPress={() => onRemove(block)}
        >
          <Trash2 aria-hidden />
        </IconButton>
      ),
    },
  ];
}

/** A hash cannot be restored, so removal asks for confirmation. */
function RemoveFromBlocklist({
  block,
  onClose,
}: {
  readonly block: Row;
  readonly onClose: () => void;
}) {
  const { formatMessage } = useIntl();
  const { nameOf } = useChannels();
  const named = {
    kind: formatMessage({ id: `contacts.field.${block.kind}` }),
    channel: nameOf(block.channelId),
  };
  const remove = useApiMutation('deleteBlock', {
    invalidates: ['listBlocks'],
    onDone: () => showToast(formatMessage({ id: 'contacts.letBackNow' }, named)),
    onClose,
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'contacts.letBackTitle' }, named)}
      action={formatMessage({ id: 'contacts.letBack' }, named)}
      isDanger
      isOpen
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id: block.id } })}
    >
      <p>{formatMessage({ id: 'contacts.letBackLead' }, named)}</p>
    </ConfirmDialog>
  );
}
