/** Confirms a bulk replay or discard: the current number of events, and for a replay a dry run of one. */
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { reasonText } from '../../ui/reasons/reasons.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useWebhookName } from '../../ui/data/webhook-name.tsx';
import { QueueStoppedNote } from './queue-progress.tsx';
import { DryRun, type DeadGroup } from './dry-run.tsx';

export type RunKind = 'replay' | 'discard';

const operations = { replay: 'replayEvents', discard: 'discardEvents' } as const;

type Props = {
  readonly group: DeadGroup;
  readonly kind: RunKind;
  readonly onClose: () => void;
};

export function ConfirmRun({ group, kind, onClose }: Props) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { webhookId, reason } = group;
  const filter = { webhookId: [webhookId], reason: [reason], state: ['dead' as const] };
  const preview = useApiQuery(
    operations[kind],
    { body: { filter, preview: true } },
    { skipFocusRefetch: true },
  );
  const run = useApiMutation(operations[kind], {
    invalidates: ['listReplays', 'listDeadLetters'],
    onDone: () => showToast(formatMessage({ id: `dead.${kind}.begun` })),
    onClose,
  });
  const counted = preview.data && 'count' in preview.data ? preview.data : undefined;
  const count = counted?.count ?? group.count;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={formatMessage({ id: `dead.${kind}.title` }, { count })}
      action={formatMessage({ id: `dead.${kind}` }, { count })}
      isDanger={kind === 'discard'}
      isBusy={run.isPending || preview.isPending || counted?.count === 0}
      error={run.error}
      onConfirm={() => run.mutate({ body: { filter } })}
    >
      <p>
        {useWebhookName(webhookId)}: {reasonText(intl, reason)}
      </p>
      {preview.isPending && <Loading lines={1} />}
      {preview.isError && (
        <ErrorNote error={preview.error} onRetry={() => void preview.refetch()} />
      )}
      {counted && (
        <p>
          {formatMessage(
            { id: counted.exact ? `dead.${kind}.text` : `dead.${kind}.textAtLeast` },
            { count },
          )}
        </p>
      )}
      {counted?.count === 0 && <Note>{formatMessage({ id: 'dead.gone' })}</Note>}
      {kind === 'replay' && <DryRun group={group} />}
      {kind === 'replay' && <QueueStoppedNote />}
    </ConfirmDialog>
  );
}
