/**
 * Edits the fields of a contact. The patch is based on the version that was read: after a concurrent change the
 * input stays, and the current values are shown beside it.
 */
import { Plus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ContactErrorNote } from './contact-error-note.tsx';
import { contactPatch, fieldProblem, currentValue, type Drafts } from './contact-patch.ts';
import { compareFields, useFieldName } from '../contacts/contact-names.ts';
import {
  ifMatchHeader,
  contactOperations,
  useContact,
  type Tagged,
} from '../contacts/use-contact.ts';
import styles from '../contacts/contacts.module.css';

type Props = { readonly id: string; readonly onClose: () => void };

export function EditContactDialog({ id, onClose }: Props) {
  const { formatMessage } = useIntl();
  const read = useContact(id);
  return (
    <Dialog title={formatMessage({ id: 'contacts.editTitle' })} isOpen isWide onClose={onClose}>
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && <Form newest={read.data} reload={read.refetch} onClose={onClose} />}
    </Dialog>
  );
}

type FormProps = {
  readonly newest: Tagged;
  readonly reload: () => Promise<{ readonly data?: Tagged | undefined }>;
  readonly onClose: () => void;
};

const always = ['name', 'phone', 'email', 'document'] as const;

function Form({ newest, reload, onClose }: FormProps) {
  const { formatMessage } = useIntl();
  // The base version changes only when the user reloads.
  const [base, setBase] = useState(newest);
  const [drafts, setDrafts] = useState<Drafts>({});
  const [isReading, setReading] = useState(false);
  const [pins, setPins] = useState<readonly string[]>(newest.data.pins);
  const save = useApiMutation('updateContact', {
    invalidates: contactOperations,
    onDone: () => showToast(formatMessage({ id: 'contacts.saved' })),
    onClose,
  });
  const fields = [
    ...new Set([
      ...always,
      ...base.data.registers.map(({ field }) => field),
      ...Object.keys(drafts),
    ]),
  ]
    .filter((field) => field !== 'externalId')
    .toSorted(compareFields);
  const body = contactPatch(base.data, drafts, pins);

  async function take() {
    setReading(true);
    const { data } = await reload();
    setReading(false);
    if (!data) return;
    setBase(data);
    save.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (body === null) return onClose();
    const { id } = base.data;
    return save.mutate({ params: { id }, body, headers: ifMatchHeader(base.tag) });
  }

  return (
    <form className="stack" onSubmit={submit}>
      <p className="soft">{formatMessage({ id: 'contacts.editLead' })}</p>
      <div className={styles.editFields}>
        {fields.map((field) => (
          <FieldRow
            key={field}
            field={field}
            shown={currentValue(base.data, field)}
            draft={drafts[field]}
            isPinned={pins.includes(field)}
            problem={fieldProblem(save.error, field)}
            onDraft={(text) => setDrafts({ ...drafts, [field]: text })}
            onPin={(isPinned) =>
              setPins(isPinned ? [...pins, field] : pins.filter((one) => one !== field))
            }
          />
        ))}
      </div>
      <NewField taken={fields} onAdd={(name) => setDrafts({ ...drafts, [`fields.${name}`]: '' })} />
      <Rejected error={save.error} onReload={() => void take()} />
      <div className="actions">
        <Button onPress={onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
        <Button
          type="submit"
          variant="primary"
          isDisabled={save.isPending || isReading || body === null}
        >
          {formatMessage({ id: 'ui.save' })}
        </Button>
      </div>
    </form>
  );
}

type RowProps = {
  readonly field: string;
  readonly shown: string;
  readonly draft: string | undefined;
  readonly isPinned: boolean;
  readonly problem: string | undefined;
  readonly onDraft: (text: string) => void;
  readonly onPin: (isPinned: boolean) => void;
};

function FieldRow({ field, shown, draft, isPinned, problem, onDraft, onPin }: RowProps) {
  const { formatMessage } = useIntl();
  const fieldName = useFieldName();
  // A single-line input would drop line breaks.
  const isLong = shown.length > 120 || shown.includes('\n');
  const isTyped = draft !== undefined && draft !== shown;
  const isEmptied = isTyped && draft.trim() === '';
  const hint = isTyped && shown !== '' ? { now: shown.slice(0, 80) } : null;
  return (
    <div className={styles.editField}>
      <TextField
        label={fieldName(field)}
        value={draft ?? shown}
        onChange={onDraft}
        maxLength={1_000}
        {...(isLong && { lines: 3 })}
        problem={
          problem ??
          (isEmptied && shown !== '' ? formatMessage({ id: 'contacts.noEmptying' }) : undefined)
        }
        hint={hint ? formatMessage({ id: 'contacts.now' }, hint) : undefined}
      />
      <Checkbox isSelected={isPinned} isDisabled={(draft ?? shown).trim() === ''} onChange={onPin}>
        {formatMessage({ id: 'contacts.keepAgainstEvents' }, { field: fieldName(field) })}
      </Checkbox>
    </div>
  );
}

type NewFieldProps = {
  readonly taken: readonly string[];
  readonly onAdd: (name: string) => void;
};

function NewField({ taken, onAdd }: NewFieldProps) {
  const { formatMessage } = useIntl();
  const [name, setName] = useState('');
  const wanted = name.trim();
  const isTaken = taken.includes(`fields.${wanted}`);
  return (
    <div className={styles.newField}>
      <TextField
        label={formatMessage({ id: 'contacts.newField' })}
        hint={formatMessage({ id: 'contacts.newFieldHint' })}
        value={name}
        onChange={setName}
        maxLength={200}
        problem={isTaken ? formatMessage({ id: 'contacts.fieldTaken' }) : undefined}
      />
      <Button
        isDisabled={wanted === '' || isTaken}
        onPress={() => {
          onAdd(wanted);
          setName('');
        }}
      >
        <Plus aria-hidden /> {formatMessage({ id: 'contacts.addField' })}
      </Button>
    </div>
  );
}

type RejectedProps = { readonly error: unknown; readonly onReload: () => void };

function Rejected({ error, onReload }: RejectedProps) {
  const { formatMessage } = useIntl();
  if (error === null || error === undefined) return null;
  if (!(error instanceof InletError)) return <ErrorNote error={error} />;
  const { contactId, state } = error.details;
  if (error.status === 412) {
    return (
      <Note tone="warn" isLive>
        <p>{formatMessage({ id: 'contacts.changedByOther' })}</p>
        <div>
          <Button isSmall onPress={onReload}>
            {formatMessage({ id: 'contacts.reload' })}
          </Button>
        </div>
      </Note>
    );
  }
  if (state === 'identity_taken' && contactId !== undefined) {
    return (
      <Note tone="bad" isLive>
        <p>{formatMessage({ id: 'contacts.identityTaken' })}</p>
        <p>
          <Link href={`/contacts/${contactId}`}>{formatMessage({ id: 'contacts.toOwner' })}</Link>
        </p>
      </Note>
    );
  }
  if (state === 'blocked') {
    return (
      <Note tone="bad" isLive>
        {formatMessage({ id: 'contacts.identityBlocked' })}
      </Note>
    );
  }
  return <ContactErrorNote error={error} />;
}
