/** The error of a change that the limits of a contact do not allow. */
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';

const limits = ['too_many_identities', 'too_many_fields', 'too_many_members'];

export function ContactErrorNote({ error }: { readonly error: unknown }) {
  const { formatMessage } = useIntl();
  const state = error instanceof InletError ? error.details.state : undefined;
  if (state === undefined || !limits.includes(state)) return <ErrorNote error={error} />;
  return (
    <Note tone="bad" isLive>
      {formatMessage({ id: `contacts.refused.${state}` })}
    </Note>
  );
}
