/** Forgets a contact everywhere, after naming who and what that is. What it leaves is a certificate. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { useDo, useRead } from '../../api/use-api.ts';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { Note } from '../../ui/feedback/parts.tsx';
import { hushAll, tell } from '../../ui/overlays/toast.tsx';
import { ForgetTerms, noTerms, termsOf, type Terms } from '../erasures/erasure-options.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { ofContacts, type Contact } from '../contacts/use-contact.ts';

export const ofErasures = [...ofContacts, 'listErasures', 'listBlocks'] as const;

type Props = { readonly contact: Contact; readonly onClose: () => void };

export function ForgetDialog({ contact, onClose }: Props) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const nameOf = usePersonName();
  const [terms, setTerms] = useState<Terms>(noTerms);
  const name = nameOf(contact);
  const forget = useDo('eraseContact', {
    touches: ofErasures,
    onDone: ({ id }) => {
      hushAll('contact');
      tell(formatMessage({ id: 'contacts.forgetting' }));
      void navigate(`/contacts/erasures?certificate=${id}`);
    },
  });
  return (
    <Confirm
      title={formatMessage({ id: 'contacts.forgetTitle' }, { name })}
      action={formatMessage({ id: 'contacts.forgetAction' }, { name })}
      isDanger
      isOpen
      isBusy={forget.isPending}
      error={forget.error}
      onClose={onClose}
      onConfirm={() => forget.mutate({ params: { id: contact.id }, body: termsOf(terms) })}
    >
      <Note tone="bad">
        <p>{formatMessage({ id: 'contacts.noWayBack' })}</p>
      </Note>
      <WhatGoes contact={contact} />
      <ForgetTerms terms={terms} onChange={setTerms} />
    </Confirm>
  );
}

function WhatGoes({ contact }: Pick<Props, 'contact'>) {
  const { formatMessage } = useIntl();
  const { id, registers, identities, chats, merges } = contact;
  const events = useRead('listEvents', { query: { contactId: [id], per_page: 1 } });
  const say = (word: string, count: number) =>
    formatMessage({ id: `contacts.goes.${word}` }, { count });
  return (
    <ul className="consequences">
      <li>
        {say('values', registers.length)} {say('identities', identities.length)}
      </li>
      <li>{say('chats', chats.length)}</li>
      {merges.length > 0 && <li>{say('merged', merges.length)}</li>}
      <li>{say('events', events.data?.pagings.total ?? 0)}</li>
      <li>{formatMessage({ id: 'contacts.goes.stays' })}</li>
    </ul>
  );
}
