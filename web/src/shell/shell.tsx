/** The frame of every screen: navigation and user menu. */
import { clsx } from 'clsx';
import {
  Activity,
  Bell,
  Cable,
  CircleAlert,
  CircleQuestionMark,
  Contact,
  EllipsisVertical,
  Gauge,
  MessagesSquare,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { NavLink, Outlet, useLocation, useNavigationType } from 'react-router';
import { useDeadLetterCount } from '../api/dead-letter-count.ts';
import { signOut, useHasScope, useSession, type Scope } from '../session/session.ts';
import mark from '../ui/layout/logo.svg';
import { Menu, type Item } from '../ui/overlays/menu.tsx';
import { showToast } from '../ui/overlays/toast.tsx';
import { Loading } from '../ui/feedback/loading.tsx';
import { chooseTheme, themes, useTheme } from '../ui/layout/theme.ts';
import { chooseLanguage, languageNames, languages, useLanguage } from '../i18n/language.ts';
import { ErrorBoundary } from '../ui/layout/error-boundary.tsx';
import { useIsPhone } from '../ui/layout/use-phone.ts';
import { helpAddress } from '../ui/help.ts';
import { useFocus } from './use-focus.ts';
import styles from './shell.module.css';

type Place = {
  readonly to: string;
  readonly id: string;
  readonly Icon: LucideIcon;
  readonly scope: Scope;
  /** On a phone it is in the menu, so that the labels of the others have room. */
  readonly isRare?: boolean;
};

const places: readonly Place[] = [
  { to: '/', id: 'shell.overview', Icon: Gauge, scope: 'viewer' },
  { to: '/webhooks', id: 'shell.webhooks', Icon: Webhook, scope: 'viewer' },
  { to: '/events', id: 'shell.events', Icon: Activity, scope: 'viewer' },
  { to: '/dead-letters', id: 'shell.failed', Icon: CircleAlert, scope: 'viewer' },
  { to: '/inbox', id: 'shell.inbox', Icon: MessagesSquare, scope: 'inbox' },
  { to: '/contacts', id: 'shell.contacts', Icon: Contact, scope: 'viewer', isRare: true },
  { to: '/channels', id: 'shell.channels', Icon: Cable, scope: 'viewer', isRare: true },
  { to: '/notices', id: 'shell.notices', Icon: Bell, scope: 'viewer', isRare: true },
];

export function Shell() {
  const { formatMessage } = useIntl();
  const { pathname } = useLocation();
  const isBack = useNavigationType() === 'POP';
  // A new page starts at its top; on back navigation the browser restores the position.
  useEffect(() => {
    if (!isBack) window.scrollTo({ top: 0 });
  }, [pathname, isBack]);
  const content = useRef<HTMLElement>(null);
  const isPhone = useIsPhone();
  useFocus(content, { pathname, isNew: useSession().isNew });
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {formatMessage({ id: 'shell.skip' })}
      </a>
      <header className={styles.side}>
        <NavLink to="/" className={styles.brand}>
          <img src={mark} alt="" />
          Inlet
        </NavLink>
        <nav aria-label={formatMessage({ id: 'shell.places' })}>
          {places
            .filter(({ isRare }) => !isRare || !isPhone)
            .map((place) => (
              <PlaceLink key={place.to} {...place} />
            ))}
        </nav>
        {!isPhone && <HelpLink />}
        <MoreMenu isPhone={isPhone} />
      </header>
      <main id="content" className={styles.content} tabIndex={-1} ref={content}>
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function PlaceLink({ to, id, Icon, scope, isRare }: Place) {
  const { formatMessage } = useIntl();
  return useHasScope(scope) ? (
    <NavLink to={to} end={to === '/'} className={isRare ? styles.rare : undefined}>
      <Icon aria-hidden />
      <span className="clip">{formatMessage({ id })}</span>
      {id === 'shell.failed' && <FailedCount />}
    </NavLink>
  ) : null;
}

function FailedCount() {
  const { formatMessage, formatNumber } = useIntl();
  const count = useDeadLetterCount() ?? 0;
  if (count === 0) return null;
  return (
    <span className={styles.navCount}>
      <span aria-hidden>{formatNumber(count, { notation: 'compact' })}</span>
      <span className="hidden-visually">
        {formatMessage({ id: 'shell.failedCount' }, { count })}
      </span>
    </span>
  );
}

/** Opens another page of the browser, so that what is typed here stays. */
function HelpLink() {
  const { formatMessage } = useIntl();
  const { pathname } = useLocation();
  return (
    <a className={styles.help} href={helpAddress(pathname)} target="_blank" rel="noreferrer">
      <CircleQuestionMark aria-hidden />
      <span className="clip">{formatMessage({ id: 'shell.help' })}</span>
    </a>
  );
}

function MoreMenu({ isPhone }: { readonly isPhone: boolean }) {
  const { formatMessage } = useIntl();
  const { pathname } = useLocation();
  const isViewer = useHasScope('viewer');
  const isAdmin = useHasScope('admin');
  const leave = () =>
    signOut().catch(() => showToast(formatMessage({ id: 'shell.signOutFailed' })));
  const [language, theme] = [useLanguage(), useTheme()];
  const hasInbox = useHasScope('inbox');
  const rare = places.filter(({ isRare }) => isRare && isPhone && isViewer);
  const items: Item[] = [
    ...rare.map(({ to, id }) => ({ id, label: formatMessage({ id }), href: to })),
    ...(hasInbox
      ? [{ id: 'team', label: formatMessage({ id: 'shell.team' }), href: '/team/agents' }]
      : []),
    ...(isAdmin
      ? [
          { id: 'tokens', label: formatMessage({ id: 'shell.tokens' }), href: '/tokens' },
          { id: 'audit', label: formatMessage({ id: 'shell.audit' }), href: '/audit' },
        ]
      : []),
    ...(isPhone
      ? [{ id: 'help', label: formatMessage({ id: 'shell.help' }), href: helpAddress(pathname) }]
      : []),
    { id: 'docs', label: formatMessage({ id: 'shell.docs' }), href: '/docs/api' },
    ...languages
      .filter((one) => one !== language)
      .map((one) => ({ id: one, label: languageNames[one], onAction: () => chooseLanguage(one) })),
    ...themes
      .filter((one) => one !== theme)
      .map((one) => ({
        id: one,
        label: formatMessage({ id: `shell.theme.${one}` }),
        onAction: () => chooseTheme(one),
      })),
    { id: 'out', label: formatMessage({ id: 'shell.signOut' }), onAction: () => void leave() },
  ];
  const label = formatMessage({ id: 'shell.more' });
  return (
    <Menu label={label} items={items}>
      <AriaButton className={clsx('button quiet', styles.more)}>
        <EllipsisVertical aria-hidden />
        <span className="clip">{label}</span>
      </AriaButton>
    </Menu>
  );
}
