/** Transfers a chat to an agent, a sector or another channel. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { Checkbox, TextField, type Option } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { SearchSelect } from '../../ui/forms/search-select.tsx';
import { SegmentedControl } from '../../ui/forms/segmented-control.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useChatChange, type Chat } from './use-chat.ts';

type Props = { readonly chat: Chat; readonly name: string; readonly onClose: () => void };

const kinds = ['sector', 'agent', 'channel'] as const;
type Kind = (typeof kinds)[number];
const memberOf = { sector: 'sector_id', agent: 'user_id', channel: 'worker_id' } as const;
const maxLength = 5_000;

/** The destinations by kind, without those that the chat has already. */
function useDestinations(chat: Chat) {
  const sectors = useApiQuery('listTransferSectors', {});
  const agents = useApiQuery('listTransferUsers', {});
  const channels = useApiQuery('listChatWorkers', {});
  const choices: Readonly<Record<Kind, readonly Option[] | undefined>> = {
    sector: sectors.data
      ?.map((one) => ({ id: one.sector_id, label: one.name }))
      .filter(({ id }) => id !== chat.sector?.id),
    agent: agents.data
      ?.map((one) => ({ id: one.user_id, label: agentNameOf(one) }))
      .filter(({ id }) => id !== chat.user?.user_id),
    channel: channels.data
      ?.map((one) => ({ id: one.worker_id, label: one.name }))
      .filter(({ id }) => id !== chat.worker.id),
  };
  return { choices, reads: { sector: sectors, agent: agents, channel: channels } };
}

export function TransferDialog({ chat, name, onClose }: Props) {
  const { formatMessage } = useIntl();
  const [kind, setKind] = useState<Kind>('sector');
  const [to, setTo] = useState<string | null>(null);
  const [annotation, setAnnotation] = useState('');
  const [isKept, setKept] = useState(false);
  const { choices, reads } = useDestinations(chat);
  const destinations = choices[kind];
  const read = reads[kind];
  const transfer = useChatChange('transferChat', () => {
    showToast(formatMessage({ id: 'inbox.transferred' }, { name }));
    onClose();
  });
  const label = (id: string) => formatMessage({ id: `inbox.transfer.${id}` });
  const confirm = () =>
    transfer.mutate({
      params: { chatId: chat.chat_id },
      body: {
        [memberOf[kind]]: to,
        ...(annotation.trim() !== '' && { annotation: annotation.trim() }),
        ...(isKept && { keep_in_chat: true }),
      },
      headers: transfer.headers,
    });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'inbox.transfer.title' }, { name })}
      action={label('action')}
      isOpen
      isBusy={transfer.isPending || to === null}
      error={transfer.error}
      onClose={onClose}
      onConfirm={confirm}
    >
      <SegmentedControl
        label={label('kind')}
        segments={kinds.map((id) => ({ id, label: label(`kind.${id}`) }))}
        value={kind}
        onChange={(next) => {
          setKind(kinds.find((one) => one === next) ?? 'sector');
          setTo(null);
        }}
      />
      {!destinations && read.isError && (
        <ErrorNote error={read.error} onRetry={() => void read.refetch()} />
      )}
      {destinations && (
        <SearchSelect
          key={kind}
          label={label(`kind.${kind}`)}
          none={label('none')}
          choices={destinations}
          value={to}
          onChange={setTo}
        />
      )}
      <TextField
        label={label('annotation')}
        hint={formatMessage({ id: 'inbox.internal' })}
        lines={2}
        maxLength={maxLength}
        value={annotation}
        onChange={setAnnotation}
      />
      {chat.status === 'in_chat' && (
        <Checkbox isSelected={isKept} onChange={setKept} hint={label('keep.hint')}>
          {label('keep')}
        </Checkbox>
      )}
    </ConfirmDialog>
  );
}
