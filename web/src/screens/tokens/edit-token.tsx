/** Edits the name or expiry of a token. A concurrent change is rejected and must be reloaded. */
import { useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { client, type Read } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { EditDialog, EditFooter } from '../../ui/overlays/edit-dialog.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { expiryOf, terms, type Token } from './token-state.ts';

type Props = { readonly token: Pick<Token, 'id' | 'name'>; readonly onClose: () => void };

export function EditTokenDialog({ token: { id, name }, onClose }: Props) {
  const { formatMessage } = useIntl();
  const title = formatMessage({ id: 'tokens.edit.title' }, { name });
  return (
    <EditDialog
      of={['getToken', id]}
      read={() => client.read('getToken', { params: { id } })}
      title={title}
      onClose={onClose}
    >
      {(read, onAgain) => <EditForm read={read} onClose={onClose} onAgain={onAgain} />}
    </EditDialog>
  );
}

type FormProps = {
  readonly read: Read<'getToken'>;
  readonly onClose: () => void;
  readonly onAgain: () => void;
};

const unchanged = 'unchanged';

function EditForm({ read: { data: token, tag }, onClose, onAgain }: FormProps) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `tokens.${id}` });
  const [name, setName] = useState(token.name);
  const [term, setTerm] = useState(unchanged);
  const update = useApiMutation('updateToken', {
    invalidates: ['listTokens', 'getCurrentToken'],
    onDone: ({ name: saved }) =>
      showToast(formatMessage({ id: 'tokens.edit.done' }, { name: saved })),
    onClose,
  });

  function save(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return;
    update.mutate({
      params: { id: token.id },
      body: { name: name.trim(), ...(term !== unchanged && { expiresAt: expiryOf(term) }) },
      ...(tag !== null && { headers: { 'if-match': tag } }),
    });
  }

  return (
    <form className="stack" onSubmit={save}>
      <TextField
        label={label('name')}
        hint={label('name.hint')}
        value={name}
        onChange={setName}
        maxLength={100}
        problem={name.trim() === '' ? label('edit.nameMissing') : undefined}
      />
      <Select
        label={label('term')}
        hint={<End at={token.expiresAt} />}
        choices={[unchanged, ...terms].map((id) => ({ id, label: label(`term.${id}`) }))}
        value={term}
        onChange={setTerm}
      />
      {term === 'never' && <Note tone="warn">{label('term.warn')}</Note>}
      <EditFooter
        update={update}
        stale={label('edit.stale')}
        again={label('edit.again')}
        onAgain={onAgain}
        onClose={onClose}
      />
    </form>
  );
}

function End({ at }: { readonly at: string | null }) {
  const { formatMessage } = useIntl();
  return at === null
    ? formatMessage({ id: 'tokens.edit.endless' })
    : formatMessage({ id: 'tokens.edit.ends' }, { at: <Timestamp at={at} /> });
}
