/** What the agent can do with the open chat. A single letter does the same, while the focus is in the inbox. */
import { clsx } from 'clsx';
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { useAgentId } from '../../session/agent.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChatChange, useShowError, type Chat } from './use-chat.ts';
import { useInboxShortcuts } from './shortcuts.ts';
import { CloseDialog } from './close-dialog.tsx';
import { LabelsDialog } from './labels-dialog.tsx';
import { TransferDialog } from './transfer-dialog.tsx';
import styles from './chat.module.css';

type Props = { readonly chat: Chat; readonly name: string };

type Opened = 'close' | 'transfer' | 'labels';

export function ChatActions({ chat, name }: Props) {
  const { formatMessage } = useIntl();
  const agentId = useAgentId();
  const [opened, setOpened] = useState<Opened | null>(null);
  const { take, isTaking } = useTake(chat);
  const isOpen = chat.status !== 'closed';
  // The chat of another agent is transferred, not taken.
  const isTaken = chat.status === 'in_chat' && (chat.user !== null || agentId === null);
  const isTakeable = isOpen && !isTaken;
  const close = () => setOpened(null);
  useInboxShortcuts({
    take: isTakeable && !isTaking ? take : null,
    transfer: isOpen ? () => setOpened('transfer') : null,
    close: isOpen ? () => setOpened('close') : null,
    labels: isOpen ? () => setOpened('labels') : null,
  });
  if (!isOpen) return null;
  return (
    <div className={clsx('row', styles.inboxActions)}>
      {isTakeable && (
        <Button isSmall variant="primary" isDisabled={isTaking} onPress={take}>
          {formatMessage({ id: 'inbox.take' })}
        </Button>
      )}
      <Button isSmall onPress={() => setOpened('transfer')}>
        {formatMessage({ id: 'inbox.transfer' })}
      </Button>
      <Button isSmall onPress={() => setOpened('close')}>
        {formatMessage({ id: 'inbox.close' })}
      </Button>
      <MoreActions chat={chat} onLabels={() => setOpened('labels')} />
      {opened === 'close' && <CloseDialog chat={chat} name={name} onClose={close} />}
      {opened === 'transfer' && <TransferDialog chat={chat} name={name} onClose={close} />}
      {opened === 'labels' && <LabelsDialog chat={chat} name={name} onClose={close} />}
    </div>
  );
}

function useTake({ chat_id: chatId }: Chat) {
  const { formatMessage } = useIntl();
  const showError = useShowError();
  const { mutate, headers, isPending } = useChatChange('updateChatStatus');
  return {
    isTaking: isPending,
    take: () =>
      mutate(
        { params: { chatId }, body: { status: 'in_chat' }, headers },
        {
          onSuccess: () => showToast(formatMessage({ id: 'inbox.taken' })),
          onError: showError,
        },
      ),
  };
}

function MoreActions({ chat, onLabels }: { readonly chat: Chat; readonly onLabels: () => void }) {
  const { formatMessage } = useIntl();
  const agentId = useAgentId();
  const { chat_id: chatId, user } = chat;
  const attendants = useApiQuery('getChatAttendants', { params: { chatId } }).data;
  const join = useChatChange('joinChat');
  const leave = useChatChange('leaveChat');
  const showError = useShowError();
  const isInChat =
    agentId !== null &&
    [user, ...(attendants?.secondary_users ?? [])].some((one) => one?.user_id === agentId);
  const items: Item[] = [
    { id: 'labels', label: formatMessage({ id: 'inbox.labels' }), onAction: onLabels },
  ];
  if (agentId !== null && !isInChat)
    items.push({
      id: 'join',
      label: formatMessage({ id: 'inbox.join' }),
      hint: formatMessage({ id: 'inbox.join.hint' }),
      onAction: () =>
        join.mutate({ params: { chatId }, headers: join.headers }, { onError: showError }),
    });
  if (isInChat)
    items.push({
      id: 'leave',
      label: formatMessage({ id: 'inbox.leave' }),
      onAction: () =>
        leave.mutate({ params: { chatId }, headers: leave.headers }, { onError: showError }),
    });
  const label = formatMessage({ id: 'inbox.moreActions' });
  return (
    <Menu label={label} items={items}>
      <AriaButton className="button small icon quiet" aria-label={label}>
        <MenuIcon aria-hidden />
      </AriaButton>
    </Menu>
  );
}
