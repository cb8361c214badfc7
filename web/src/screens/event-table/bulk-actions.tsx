/** Replays or discards the selected events, after a confirmation that says how many of them allow it. */
import { RotateCcw, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import type { Selection } from './event-table.tsx';
import type { BulkRun } from './run-result.tsx';
import styles from './event-table.module.css';

const operations = { replay: 'replayEvents', discard: 'discardEvents' } as const;
type BulkKind = BulkRun['kind'];

type Props = {
  readonly selection: Selection;
  readonly onClear: () => void;
  readonly onBegun: (run: BulkRun) => void;
};

export function BulkActions({ selection, onClear, onBegun }: Props) {
  const { formatMessage } = useIntl();
  const [kind, setKind] = useState<BulkKind | null>(null);
  return (
    <div className={styles.bulk} role="group" aria-label={formatMessage({ id: 'events.bulk' })}>
      <span role="status" className="numbers">
        {formatMessage({ id: 'events.selected' }, { count: selection.size })}
      </span>
      <Button isSmall onPress={() => setKind('replay')}>
        <RotateCcw aria-hidden />
        {formatMessage({ id: 'event.replay' })}
      </Button>
      <Button isSmall onPress={() => setKind('discard')}>
        <Trash2 aria-hidden />
        {formatMessage({ id: 'events.discard' })}
      </Button>
      <Button isSmall variant="quiet" onPress={onClear}>
        <X aria-hidden />
        {formatMessage({ id: 'events.clearSelection' })}
      </Button>
      {kind !== null && (
        <ConfirmBulk
          kind={kind}
          ids={[...selection]}
          onClose={() => setKind(null)}
          onBegun={(run) => {
            onBegun(run);
            onClear();
          }}
        />
      )}
    </div>
  );
}

type ConfirmProps = {
  readonly kind: BulkKind;
  readonly ids: string[];
  readonly onClose: () => void;
  readonly onBegun: (run: BulkRun) => void;
};

function ConfirmBulk({ kind, ids, onClose, onBegun }: ConfirmProps) {
  const { formatMessage } = useIntl();
  const preview = useApiQuery(
    operations[kind],
    { body: { ids, preview: true } },
    { skipFocusRefetch: true },
  );
  const run = useApiMutation(operations[kind], {
    invalidates: ['listReplays'],
    onClose: (answer) => {
      onClose();
      // The answer of a run; that of a preview has no id.
      const { id } = answer as { readonly id?: string };
      if (id !== undefined) onBegun({ id, kind });
    },
  });
  const count = preview.data && 'count' in preview.data ? preview.data.count : 0;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={formatMessage({ id: `events.bulk.${kind}.title` }, { count: ids.length })}
      action={formatMessage({ id: `events.bulk.${kind}.action` }, { count })}
      isDanger={kind === 'discard'}
      isBusy={run.isPending || count === 0}
      error={run.error}
      onConfirm={() => run.mutate({ body: { ids } })}
    >
      {preview.isPending && <Loading lines={1} />}
      {preview.isError && (
        <ErrorNote error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {preview.data && (
        <p>
          {formatMessage({ id: `events.bulk.${kind}.text` }, { count, others: ids.length - count })}
        </p>
      )}
    </ConfirmDialog>
  );
}
