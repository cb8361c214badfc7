/** The error of a failed request, with a retry button. */
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { InletError } from '../../api/client.ts';
import { Button } from '../forms/button.tsx';
import { Note } from './note.tsx';

/** Shows the server's message and a retry button. */
export function ErrorNote({
  error,
  onRetry,
  children,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly children?: ReactNode;
}) {
  const { formatMessage } = useIntl();
  return (
    <Note tone="bad" isLive>
      <p>{errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))}</p>
      {children}
      <FailureDetails error={error} />
      {onRetry && <RetryButton onPress={onRetry} />}
    </Note>
  );
}

export function RetryButton({ onPress }: { readonly onPress: () => void }) {
  const { formatMessage } = useIntl();
  return (
    <div>
      <Button isSmall onPress={onPress}>
        {formatMessage({ id: 'ui.retry' })}
      </Button>
    </div>
  );
}

export const errorMessage = (error: unknown, fallback: string): string =>
  error instanceof InletError ? error.message : fallback;

function FailureDetails({ error }: { readonly error: unknown }) {
  const { formatMessage } = useIntl();
  if (!(error instanceof InletError)) return null;
  const fields = error.details.fields ?? [];
  return (
    <>
      {fields.length > 0 && (
        <ul className="small">
          {fields.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {error.requestId !== null && error.status >= 500 && (
        <p className="small soft">
          {formatMessage({ id: 'ui.requestId' }, { id: error.requestId })}
        </p>
      )}
    </>
  );
}
