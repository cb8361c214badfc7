/** The console: its providers, and which screen belongs to which address. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { IntlProvider } from 'react-intl';
import { BrowserRouter, useHref, useNavigate } from 'react-router';
import { InletError } from './api/client.ts';
import { Screens } from './screens.tsx';
import { SignIn } from './screens/sign-in/sign-in.tsx';
import { useSession } from './session/session.ts';
import { hushAll, Toasts } from './ui/overlays/toast.tsx';
import { useLanguage } from './i18n/language.ts';
import { Missing, NoWords, Opening } from './ui/feedback/missing-language.tsx';
import { useWords } from './i18n/use-messages.ts';

/** What the server has refused is refused again; what broke on the way is tried twice more. */
const isWorthRepeating = (count: number, error: Error): boolean =>
  count < 2 && !(error instanceof InletError && error.status < 500);

const newQueries = () =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 5_000, retry: isWorthRepeating } },
  });

export function App() {
  const { words, missing, retry } = useWords(useLanguage());
  if (!words) return missing ? <NoWords onRetry={retry} /> : <Opening />;
  return (
    <IntlProvider locale={words.language} messages={words.messages}>
      <I18nProvider locale={words.language}>
        {missing && <Missing language={missing} onRetry={retry} />}
        <Entrance />
        <Toasts />
      </I18nProvider>
    </IntlProvider>
  );
}

/** What one token has read is forgotten before the next comes. */
function Entrance() {
  const { session } = useSession();
  return session ? <Inside key={session.token} /> : <SignIn />;
}

function Inside() {
  const [queries] = useState(newQueries);
  // What was told is of this session.
  useEffect(() => hushAll, []);
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Links>
          <Screens />
        </Links>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

/** Links of the component library go through the router, but for those that leave the console. */
function Links({ children }: { readonly children: ReactNode }) {
  const navigate = useNavigate();
  const go = (path: string) => {
    if (path === '/docs') window.location.assign(path);
    else void navigate(path);
  };
  return (
    <RouterProvider navigate={go} useHref={useHref}>
      {children}
    </RouterProvider>
  );
}
