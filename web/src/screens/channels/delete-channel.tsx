/** Asks before a channel is deleted; lists the webhooks that still use it. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { InletError } from '../../api/client.ts';
import { useApiMutation, useMountedRef, useInvalidate } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChannelWebhooks } from './channel-webhooks.ts';

type Props = { readonly id: string; readonly name: string; readonly onClose: () => void };

export function DeleteChannel({ id, name, onClose }: Props) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const refresh = useInvalidate();
  const isMounted = useMountedRef();
  const senders = useChannelWebhooks(id)?.filter(({ status }) => status !== 'archived') ?? [];
  const remove = useApiMutation('deleteChannel', {
    invalidates: ['listChannels'],
    onDone: () => {
      showToast(formatMessage({ id: 'channels.deleted' }, { name }));
      // A user who closed the dialog stays on the page and sees that the channel is deleted.
      if (!isMounted.current) refresh('getChannel');
    },
    onClose: () => void navigate('/channels'),
  });
  const { error } = remove;
  const refusedFor = error instanceof InletError ? (error.details.usedBy ?? []) : [];
  const users =
    refusedFor.length > 0
      ? refusedFor
      : senders.map((sender) => ({ type: 'webhook', id: sender.id, name: sender.name }));
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'channels.delete.title' }, { name })}
      action={formatMessage({ id: 'channels.delete.action' }, { name })}
      isOpen
      isDanger
      isBusy={remove.isPending || senders.length > 0}
      error={refusedFor.length > 0 ? null : error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { id } })}
    >
      <p>{formatMessage({ id: 'channels.delete.what' })}</p>
      {users.length > 0 && (
        <Note tone="bad" isLive>
          <p>{formatMessage({ id: 'channels.inUse' })}</p>
          <ul>
            {users.map((user) => (
              <li key={user.id}>
                <User {...user} />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </ConfirmDialog>
  );
}

function User({
  type,
  id,
  name,
}: {
  readonly type: string;
  readonly id: string;
  readonly name: string;
}) {
  const { formatMessage } = useIntl();
  if (type === 'webhook') return <Link href={`/webhooks/${id}`}>{name}</Link>;
  const text = formatMessage({ id: `channels.inUse.${type === 'event' ? 'event' : 'delivery'}` });
  return type === 'event' ? <Link href={`/events/${id}`}>{text}</Link> : text;
}
