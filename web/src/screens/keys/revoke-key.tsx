/** Asks before a key is revoked. */
import { useIntl } from 'react-intl';
import { useApiMutation } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { Key } from './key-state.ts';

type Props = {
  readonly webhookId: string;
  readonly leaving: Key;
  /** True when no other key is valid. */
  readonly isLast: boolean;
  readonly onClose: () => void;
};

export function RevokeKey({ webhookId, leaving, isLast, onClose }: Props) {
  const { formatMessage } = useIntl();
  const { id: keyId, lastFour, lastUsedAt } = leaving;
  const revoke = useApiMutation('deleteWebhookKey', {
    invalidates: ['listWebhookKeys'],
    onDone: () => showToast(formatMessage({ id: 'keys.revoked' }, { lastFour })),
    onClose,
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'keys.revoke.title' }, { lastFour })}
      action={formatMessage({ id: 'keys.revokeOne' }, { lastFour })}
      isOpen
      isDanger
      isBusy={revoke.isPending}
      error={revoke.error}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ params: { id: webhookId, keyId } })}
    >
      <p>{formatMessage({ id: 'keys.revoke.what' })}</p>
      <p>
        {lastUsedAt === null ? (
          formatMessage({ id: 'keys.revoke.neverUsed' })
        ) : (
          <>
            {formatMessage({ id: 'keys.lastUsed' })} <RelativeTime at={lastUsedAt} />.
          </>
        )}
      </p>
      {isLast && <Note tone="bad">{formatMessage({ id: 'keys.revoke.last' })}</Note>}
    </ConfirmDialog>
  );
}
