/** Offers to erase the person of an event that asks for it, by what the mapping reads from the event. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErasePersonDialog } from '../erasures/erase-person.tsx';
import { useReading } from './mapping-trace.tsx';

type Props = { readonly event: Answer<'getEvent'> };

export function EraseRequested({ event }: Props) {
  const { formatMessage } = useIntl();
  const isAdmin = useHasScope('admin');
  const [isOpen, setOpen] = useState(false);
  const { item, steps } = useReading(event);
  if (!isAdmin) return null;
  const { phone, email, document } = item?.contact ?? {};
  const given = { phone: phone ?? '', email: email ?? '', document: document ?? '' };
  return (
    <div>
      <Button
        isSmall
        variant="danger"
        // Without the payload, or when it cannot be read, the form is empty.
        isDisabled={steps.some(({ isFetching }) => isFetching)}
        onPress={() => setOpen(true)}
      >
        {formatMessage({ id: 'contacts.erasePersonButton' })}
      </Button>
      {isOpen && <ErasePersonDialog given={given} onClose={() => setOpen(false)} />}
    </div>
  );
}
