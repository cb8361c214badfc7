/** Erases a contact everywhere after a confirmation. The result is a certificate. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { closeToasts, showToast } from '../../ui/overlays/toast.tsx';
import {
  ErasureOptionFields,
  defaultOptions,
  optionsBody,
  type ErasureOptions,
} from '../erasures/erasure-options.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { contactOperations, type Contact } from '../contacts/use-contact.ts';
import styles from '../contacts/contacts.module.css';

export const erasureOperations = [...contactOperations, 'listErasures', 'listBlocks'] as const;

type Props = { readonly contact: Contact; readonly onClose: () => void };

export function EraseContactDialog({ contact, onClose }: Props) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const nameOf = usePersonName();
  const [terms, setTerms] = useState<ErasureOptions>(defaultOptions);
  const name = nameOf(contact);
  const erase = useApiMutation('eraseContact', {
    invalidates: erasureOperations,
    onDone: ({ id }) => {
      closeToasts('contact');
      showToast(formatMessage({ id: 'contacts.erasing' }));
      void navigate(`/contacts/erasures?certificate=${id}`);
    },
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'contacts.eraseTitle' }, { name })}
      action={formatMessage({ id: 'contacts.eraseAction' }, { name })}
      isDanger
      isOpen
      isBusy={erase.isPending}
      error={erase.error}
      onClose={onClose}
      onConfirm={() => erase.mutate({ params: { id: contact.id }, body: optionsBody(terms) })}
    >
      <Note tone="bad">
        <p>{formatMessage({ id: 'contacts.noWayBack' })}</p>
      </Note>
      <WhatGoes contact={contact} />
      <ErasureOptionFields terms={terms} onChange={setTerms} />
    </ConfirmDialog>
  );
}

function WhatGoes({ contact }: Pick<Props, 'contact'>) {
  const { formatMessage } = useIntl();
  const { id, registers, identitiesTotal, chats, merges } = contact;
  const events = useApiQuery('listEvents', { query: { contactId: [id], per_page: 1 } });
  const textOf = (word: string, count: number) =>
    formatMessage({ id: `contacts.goes.${word}` }, { count });
  return (
    <ul className={styles.consequences}>
      <li>
        {textOf('values', registers.length)} {textOf('identities', identitiesTotal)}
      </li>
      <li>{textOf('chats', chats.length)}</li>
      {merges.length > 0 && <li>{textOf('merged', merges.length)}</li>}
      <li>{textOf('events', events.data?.pagings.total ?? 0)}</li>
      <li>{formatMessage({ id: 'contacts.goes.stays' })}</li>
    </ul>
  );
}
