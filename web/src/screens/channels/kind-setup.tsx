/** What to copy from where for a channel kind, as steps. Shows nothing for a kind without them. */
import { useIntl } from 'react-intl';
import { Note } from '../../ui/feedback/note.tsx';

export function KindSetup({ kind }: { readonly kind: string }) {
  const { formatMessage, messages } = useIntl();
  const id = `channels.kind.${kind}.setup`;
  if (!(id in messages)) return null;
  return (
    <Note tone="info">
      <ol>
        {formatMessage({ id })
          .split('\n')
          .map((step) => (
            <li key={step}>{step}</li>
          ))}
      </ol>
    </Note>
  );
}
