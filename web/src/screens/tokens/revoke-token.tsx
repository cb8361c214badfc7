/** Asks before a token is revoked, with a warning for the token in use. */
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { Token } from './token-state.ts';

type Props = {
  readonly leaving: Token;
  readonly isOwn: boolean;
  readonly onClose: () => void;
};

export function RevokeToken({ leaving: { id, name, lastUsedAt }, isOwn, onClose }: Props) {
  const { formatMessage } = useIntl();
  const revoke = useApiMutation('deleteToken', {
    invalidates: ['listTokens'],
    onDone: () => showToast(formatMessage({ id: 'tokens.revoked' }, { name })),
    onClose,
  });
  const { error } = revoke;
  const isLast = error instanceof InletError && error.details.state === 'last_admin';
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'tokens.revoke.title' }, { name })}
      action={formatMessage({ id: 'tokens.revokeOne' }, { name })}
      isOpen
      isDanger
      isBusy={revoke.isPending}
      error={isLast ? null : error}
      onClose={onClose}
      onConfirm={() => revoke.mutate({ params: { id } })}
    >
      <p>{formatMessage({ id: 'tokens.revoke.what' })}</p>
      <p>
        {lastUsedAt === null ? (
          formatMessage({ id: 'tokens.revoke.neverUsed' })
        ) : (
          <>
            {formatMessage({ id: 'tokens.revoke.lastUsed' })} <RelativeTime at={lastUsedAt} />.
          </>
        )}
      </p>
      {isOwn && <Note tone="bad">{formatMessage({ id: 'tokens.revoke.own' })}</Note>}
      {isLast && (
        <Note tone="bad" isLive>
          {formatMessage({ id: 'tokens.revoke.last' })}
        </Note>
      )}
    </ConfirmDialog>
  );
}
