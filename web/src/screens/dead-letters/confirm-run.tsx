/** Before many events are sent through again or given up: how many they are now, and for a replay how one of them would fare. */
import { useIntl } from 'react-intl';
import { useDo, useRead } from '../../api/use-api.ts';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { Failed, Note, Waiting } from '../../ui/feedback/parts.tsx';
import { reasonWords } from '../../ui/reasons/reasons.tsx';
import { tell } from '../../ui/overlays/toast.tsx';
import { useWebhookName } from '../../ui/data/webhook-name.tsx';
import { Standstill } from './queue-progress.tsx';
import type { DeadGroup } from './dead-letter-group.tsx';
import { Trial } from './dry-run.tsx';

export type RunKind = 'replay' | 'discard';

const operations = { replay: 'replayEvents', discard: 'discardEvents' } as const;

type Props = {
  readonly group: DeadGroup;
  readonly kind: RunKind;
  readonly onClose: () => void;
};

export function AskRun({ group, kind, onClose }: Props) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { webhookId, reason } = group;
  const filter = { webhookId: [webhookId], reason: [reason], state: ['dead' as const] };
  const tally = useRead(operations[kind], { body: { filter, preview: true } }, { isCalm: true });
  const run = useDo(operations[kind], {
    touches: ['listReplays', 'listDeadLetters'],
    onDone: () => tell(formatMessage({ id: `dead.${kind}.begun` })),
    onClose,
  });
  const counted = tally.data && 'count' in tally.data ? tally.data : undefined;
  const count = counted?.count ?? group.count;
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={formatMessage({ id: `dead.${kind}.title` }, { count })}
      action={formatMessage({ id: `dead.${kind}` }, { count })}
      isDanger={kind === 'discard'}
      isBusy={run.isPending || tally.isPending || counted?.count === 0}
      error={run.error}
      onConfirm={() => run.mutate({ body: { filter } })}
    >
      <p>
        {useWebhookName(webhookId)}: {reasonWords(intl, reason)}
      </p>
      {tally.isPending && <Waiting lines={1} />}
      {tally.isError && <Failed error={tally.error} onRetry={() => void tally.refetch()} />}
      {counted && (
        <p>
          {formatMessage(
            { id: counted.exact ? `dead.${kind}.text` : `dead.${kind}.textAtLeast` },
            { count },
          )}
        </p>
      )}
      {counted?.count === 0 && <Note>{formatMessage({ id: 'dead.gone' })}</Note>}
      {kind === 'replay' && <Trial group={group} />}
      {kind === 'replay' && <Standstill />}
    </Confirm>
  );
}
