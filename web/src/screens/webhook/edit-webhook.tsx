/** Edits name and channel of a webhook. A concurrent change is rejected and must be reloaded. */
import { useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { client, type Answer, type Read } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { EditDialog, EditFooter } from '../../ui/overlays/edit-dialog.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

type Webhook = Answer<'getWebhook'>;
type Props = { readonly webhook: Pick<Webhook, 'id' | 'name'>; readonly onClose: () => void };

export function EditWebhookDialog({ webhook: { id, name }, onClose }: Props) {
  const { formatMessage } = useIntl();
  const title = formatMessage({ id: 'webhook.edit.title' }, { name });
  return (
    <EditDialog
      of={['getWebhook', id]}
      read={() => client.read('getWebhook', { params: { id } })}
      title={title}
      onClose={onClose}
    >
      {(read, onAgain) => <EditForm read={read} onClose={onClose} onAgain={onAgain} />}
    </EditDialog>
  );
}

type FormProps = {
  readonly read: Read<'getWebhook'>;
  readonly onClose: () => void;
  readonly onAgain: () => void;
};

function EditForm({ read: { data: webhook, tag }, onClose, onAgain }: FormProps) {
  const { formatMessage } = useIntl();
  const [name, setName] = useState(webhook.name);
  const [channelId, setChannelId] = useState(webhook.channelId);
  const channels = useApiQuery('listChannels', { query: { per_page: 200, sort_by: 'name' } });
  const update = useApiMutation('updateWebhook', {
    invalidates: ['getWebhook', 'listWebhooks', 'listStatsWebhooks'],
    onDone: () => showToast(formatMessage({ id: 'webhook.edit.done' }, { name: name.trim() })),
    onClose,
  });

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return;
    update.mutate({
      params: { id: webhook.id },
      body: { name: name.trim(), channelId },
      ...(tag !== null && { headers: { 'if-match': tag } }),
    });
  }

  return (
    <form className="stack" onSubmit={save}>
      <TextField
        label={formatMessage({ id: 'webhook.edit.name' })}
        value={name}
        onChange={setName}
        maxLength={100}
        problem={name.trim() === '' ? formatMessage({ id: 'webhook.edit.nameMissing' }) : undefined}
      />
      <Select
        label={formatMessage({ id: 'webhook.edit.channel' })}
        hint={formatMessage({ id: 'webhook.edit.channelHint' })}
        choices={(channels.data?.results ?? []).map(({ id, name: label }) => ({ id, label }))}
        value={channelId}
        onChange={setChannelId}
      />
      <EditFooter
        update={update}
        stale={formatMessage({ id: 'webhook.edit.stale' })}
        again={formatMessage({ id: 'webhook.edit.again' })}
        onAgain={onAgain}
        onClose={onClose}
      />
    </form>
  );
}
