/** The sign-in screen: exchanges a token for the cookie of a session, and forgets the token. */
import { useEffect, useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { createClient, InletError } from '../../../../client/client.ts';
import { consoleHeaders, signIn, useSession, type Session } from '../../session/session.ts';
import { helpOfSignIn } from '../../ui/help.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import mark from '../../ui/layout/logo.svg';
import { Note } from '../../ui/feedback/note.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import {
  chooseLanguage,
  currentLanguage,
  languageNames,
  languages,
  useLanguage,
} from '../../i18n/language.ts';
import styles from './sign-in.module.css';

async function startSession(token: string): Promise<Session> {
  const options = { baseUrl: '', token: () => token, language: currentLanguage() };
  const client = createClient({ ...options, headers: consoleHeaders });
  const session = await client.call('createConsoleSession', {});
  const { id, name, scopes, restricted, expiresAt } = session;
  return { id, name, scopes, restricted, expiresAt };
}

export function SignIn() {
  const { formatMessage } = useIntl();
  const { ending } = useSession();
  const [token, setToken] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    document.title = 'Inlet';
  }, []);

  async function enter(event: FormEvent) {
    event.preventDefault();
    if (token.trim() === '') return;
    setBusy(true);
    setError(null);
    try {
      signIn(await startSession(token.trim()));
    } catch (problem) {
      setError(problem);
      setBusy(false);
    }
  }

  function problemWords(problem: unknown): string {
    if (problem instanceof InletError && problem.status === 401) {
      return formatMessage({ id: 'signIn.wrong' });
    }
    return errorMessage(problem, formatMessage({ id: 'ui.noAnswer' }));
  }

  return (
    <main className={styles.signIn}>
      <form className="card stack" onSubmit={(event) => void enter(event)}>
        <div className={styles.title}>
          <img src={mark} alt="" />
          <h1>{formatMessage({ id: 'signIn.title' })}</h1>
        </div>
        {ending === 'refused' && error === null && (
          <Note tone="warn" isLive>
            {formatMessage({ id: 'signIn.refused' })}
          </Note>
        )}
        {error !== null && (
          <Note tone="bad" isLive>
            {problemWords(error)}
          </Note>
        )}
        <TextField
          label={formatMessage({ id: 'signIn.token' })}
          hint={formatMessage({ id: 'signIn.hint' })}
          type="password"
          autoComplete="off"
          value={token}
          onChange={setToken}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the only field of the screen
          autoFocus
        />
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {formatMessage({ id: isBusy ? 'signIn.busy' : 'signIn.enter' })}
        </Button>
        <LanguageChoice />
        <a href={helpOfSignIn}>{formatMessage({ id: 'signIn.help' })}</a>
      </form>
    </main>
  );
}

function LanguageChoice() {
  const { formatMessage } = useIntl();
  return (
    <Select
      label={formatMessage({ id: 'signIn.language' })}
      choices={languages.map((id) => ({ id, label: languageNames[id] }))}
      value={useLanguage()}
      onChange={(id) => {
        const chosen = languages.find((language) => language === id);
        if (chosen) chooseLanguage(chosen);
      }}
    />
  );
}
