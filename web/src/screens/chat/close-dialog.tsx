/** Closes a chat, with a comment that only the team sees. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { TextField } from '../../ui/forms/field.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChatChange, type Chat } from './use-chat.ts';

type Props = { readonly chat: Chat; readonly name: string; readonly onClose: () => void };

const maxLength = 1_000;

export function CloseDialog({ chat: { chat_id: chatId }, name, onClose }: Props) {
  const { formatMessage } = useIntl();
  const [comment, setComment] = useState('');
  const close = useChatChange('updateChatStatus', () => {
    showToast(formatMessage({ id: 'inbox.closedNow' }, { name }));
    onClose();
  });
  const closure = comment.trim() === '' ? {} : { closure_comment: comment.trim() };
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'inbox.close.title' }, { name })}
      action={formatMessage({ id: 'inbox.close.action' })}
      isOpen
      isBusy={close.isPending}
      error={close.error}
      onClose={onClose}
      onConfirm={() =>
        close.mutate({
          params: { chatId },
          body: { status: 'closed', ...closure },
          headers: close.headers,
        })
      }
    >
      <p>{formatMessage({ id: 'inbox.close.what' })}</p>
      <TextField
        label={formatMessage({ id: 'inbox.close.comment' })}
        hint={formatMessage({ id: 'inbox.internal' })}
        lines={3}
        maxLength={maxLength}
        value={comment}
        onChange={setComment}
      />
    </ConfirmDialog>
  );
}
