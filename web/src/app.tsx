/** The console: its providers and the sign-in gate. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { IntlProvider } from 'react-intl';
import { BrowserRouter, useHref, useNavigate } from 'react-router';
import { client, InletError } from './api/client.ts';
import { Screens } from './screens.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { refreshSession, useSession } from './session/session.ts';
import { closeToasts, Toasts } from './ui/overlays/toast.tsx';
import { useLanguage } from './i18n/language.ts';
import { MissingLanguage, NoMessages, LoadingPage } from './ui/feedback/missing-language.tsx';
import { useMessages } from './i18n/use-messages.ts';

/** Retries server errors and network errors twice, and rejected requests never. */
const shouldRetry = (count: number, error: Error): boolean =>
  count < 2 && !(error instanceof InletError && error.status < 500);

const createQueryClient = () =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: shouldRetry } },
  });

export function App() {
  const { text, missing, retry } = useMessages(useLanguage());
  if (!text) return missing ? <NoMessages onRetry={retry} /> : <LoadingPage />;
  return (
    <IntlProvider locale={text.language} messages={text.messages}>
      <I18nProvider locale={text.language}>
        {missing && <MissingLanguage language={missing} onRetry={retry} />}
        <SessionGate />
        <Toasts />
      </I18nProvider>
    </IntlProvider>
  );
}

/** The key discards the cache of one token before the next one signs in. */
function SessionGate() {
  const { session } = useSession();
  return session ? <SignedIn key={session.id} /> : <SignIn />;
}

function SignedIn() {
  const [queries] = useState(createQueryClient);
  const { isNew } = useSession();
  // After a reload the stored session may have ended or belong to another token.
  useEffect(() => {
    if (!isNew)
      client.call('getConsoleSession', {}).then(
        ({ id, name, scopes, restricted, expiresAt }) =>
          refreshSession({ id, name, scopes, restricted, expiresAt }),
        () => undefined,
      );
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each page load
  }, []);
  // Toasts belong to this session.
  useEffect(() => closeToasts, []);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <RouterLinks>
          <Screens />
        </RouterLinks>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** Routes the links of the component library through the router, except links that leave the console. */
function RouterLinks({ children }: { readonly children: ReactNode }) {
  const navigate = useNavigate();
  const go = (path: string) => {
    if (path.startsWith('/docs/')) window.location.assign(path);
    else void navigate(path);
  };
  return (
    <RouterProvider navigate={go} useHref={useHref}>
      {children}
    </RouterProvider>
  );
}
