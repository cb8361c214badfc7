/** Shown in another language when the messages of the chosen one could not be loaded. */
import { useIntl } from 'react-intl';
import { Button } from '../forms/button.tsx';
import { Note } from './note.tsx';
import { RetryButton } from './error-note.tsx';
import { languageNames, type Language } from '../../i18n/language.ts';

type Props = { readonly language: Language; readonly onRetry: () => void };

export function MissingLanguage({ language, onRetry }: Props) {
  const { formatMessage } = useIntl();
  return (
    <Note tone="warn" isLive>
      <p>{formatMessage({ id: 'ui.languageMissing' }, { language: languageNames[language] })}</p>
      <RetryButton onPress={onRetry} />
    </Note>
  );
}

/** Shown while the first messages load; the same text as in index.html. */
export const LoadingPage = () => (
  <p className="opening" role="status">
    Inlet · Loading … · Carregando … · Cargando …
  </p>
);

/** Shown when no language could be loaded. Its text is part of the script. */
export const NoMessages = ({ onRetry }: Pick<Props, 'onRetry'>) => (
  <main className="sign-in">
    <div className="card stack">
      <h1>Inlet</h1>
      <Note tone="bad" isLive>
        <p>The texts of this page could not be loaded. Check the connection, and try again.</p>
        <div>
          <Button isSmall onPress={onRetry}>
            Try again
          </Button>
        </div>
      </Note>
    </div>
  </main>
);
