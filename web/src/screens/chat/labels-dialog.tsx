/** Chooses the labels of a chat. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { Checkbox } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { useChatChange, type Chat } from './use-chat.ts';
import styles from './chat.module.css';

type Props = { readonly chat: Chat; readonly name: string; readonly onClose: () => void };

export function LabelsDialog({ chat, name, onClose }: Props) {
  const { formatMessage } = useIntl();
  const own = chat.labels.map((one) => one.label_template_id);
  const [chosen, setChosen] = useState<readonly string[]>(own);
  const read = useApiQuery('listChatLabels', {});
  const active = read.data;
  const replace = useChatChange('replaceChatLabels', onClose);
  // A disabled label stays in the chat until it is removed.
  const all = active && [
    ...active,
    ...chat.labels.filter((one) =>
      active.every((other) => other.label_template_id !== one.label_template_id),
    ),
  ];
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'inbox.labels.title' }, { name })}
      action={formatMessage({ id: 'inbox.labels.action' })}
      isOpen
      isBusy={replace.isPending || !all}
      error={replace.error}
      onClose={onClose}
      onConfirm={() =>
        replace.mutate({
          params: { chatId: chat.chat_id },
          body: { label_template_ids: [...chosen] },
          headers: replace.headers,
        })
      }
    >
      {read.isPending && <Loading lines={3} />}
      {!all && read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {all?.length === 0 && <p>{formatMessage({ id: 'inbox.labels.none' })}</p>}
      {all?.map(({ label_template_id: id, label, color }) => (
        <Checkbox
          key={id}
          isSelected={chosen.includes(id)}
          onChange={(isOn) =>
            setChosen(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))
          }
        >
          <span className={styles.inboxDot} style={{ backgroundColor: color }} /> {label}
        </Checkbox>
      ))}
    </ConfirmDialog>
  );
}
