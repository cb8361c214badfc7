/** Creates a channel: kind, name and settings. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { browserRegion } from '../../ui/places/countries.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import {
  formOf,
  isComplete,
  problemsOf,
  settingsOf,
  type Form,
  type Kind,
} from './channel-kind.ts';
import { KindFields } from './kind-fields.tsx';
import { KindSetup } from './kind-setup.tsx';

type Props = { readonly onClose: () => void; readonly onCreated: (id: string) => void };

export function NewChannel({ onClose, onCreated }: Props) {
  const { formatMessage } = useIntl();
  const kinds = useApiQuery('listChannelKinds', {});
  const [name, setName] = useState('');
  const [kindName, setKind] = useState<Kind['kind']>('inbox');
  const [form, setForm] = useState<Form>(() => {
    const region = browserRegion();
    return formOf(region === null ? {} : { region });
  });
  const create = useApiMutation('createChannel', {
    invalidates: ['listChannels'],
    onClose: ({ id }) => onCreated(id),
  });
  const kind = kinds.data?.kinds.find((one) => one.kind === kindName);
  const isReady = kind !== undefined && name.trim() !== '' && isComplete(kind, form, []);
  const problems = problemsOf(create.error);
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'channels.new' })}
      action={formatMessage({ id: 'channels.create' })}
      isOpen
      isBusy={create.isPending || !isReady}
      error={create.error}
      onClose={onClose}
      onConfirm={() => {
        if (!kind) return;
        const settings = settingsOf(kind, form);
        create.mutate({ body: { name: name.trim(), kind: kindName, settings } });
      }}
    >
      {kinds.isPending && <Loading />}
      {kinds.isError && <ErrorNote error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isSuccess && (
        <>
          <TextField
            label={formatMessage({ id: 'channels.name' })}
            hint={formatMessage({ id: 'channels.name.hint' })}
            value={name}
            onChange={setName}
            maxLength={100}
            problem={problems('/name')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field
            autoFocus
          />
          <Select
            label={formatMessage({ id: 'channels.kind' })}
            choices={kinds.data.kinds.map((one) => ({
              id: one.kind,
              label: formatMessage({ id: `channels.kind.${one.kind}` }),
              hint: formatMessage({ id: `channels.kind.${one.kind}.hint` }),
            }))}
            value={kindName}
            onChange={(id) =>
              setKind(kinds.data.kinds.find((one) => one.kind === id)?.kind ?? 'inbox')
            }
          />
          {kind && (
            <>
              <KindSetup kind={kind.kind} />
              <KindFields
                kind={kind}
                form={form}
                onChange={setForm}
                secretsSet={[]}
                problemAt={(setting) => problems(`/settings/${setting}`)}
              />
            </>
          )}
        </>
      )}
    </ConfirmDialog>
  );
}
