/** The routes of the console. Each screen is lazy-loaded. */
import type { ComponentType } from 'react';
import { useIntl } from 'react-intl';
import { Navigate, Route, Routes } from 'react-router';
import { useHasScope, type Scope } from './session/session.ts';
import type { ScreenPath } from './ui/help.ts';
import { Shell } from './shell/shell.tsx';
import { LinkButton } from './ui/forms/button.tsx';
import { lazyWithRetry } from './ui/layout/lazy-with-retry.tsx';
import { EmptyState } from './ui/feedback/empty-state.tsx';

const screen = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
) => lazyWithRetry(async () => (await load())[name]);

const Overview = screen(() => import('./screens/overview/overview.tsx'), 'Overview');
const Webhooks = screen(() => import('./screens/webhooks/webhooks.tsx'), 'Webhooks');
const NewWebhook = screen(() => import('./screens/setup/setup.tsx'), 'NewWebhook');
const Setup = screen(() => import('./screens/setup/setup.tsx'), 'Setup');
const WebhookLayout = screen(() => import('./screens/webhook/webhook-layout.tsx'), 'WebhookLayout');
const Summary = screen(() => import('./screens/webhook/summary.tsx'), 'Summary');
const Mapping = screen(() => import('./screens/mapping/mapping.tsx'), 'Mapping');
const Versions = screen(() => import('./screens/versions/versions.tsx'), 'Versions');
const Samples = screen(() => import('./screens/samples/samples.tsx'), 'Samples');
const Rejections = screen(() => import('./screens/rejections/rejections.tsx'), 'Rejections');
const Drift = screen(() => import('./screens/drift/drift.tsx'), 'Drift');
const Keys = screen(() => import('./screens/keys/keys.tsx'), 'Keys');
const Settings = screen(() => import('./screens/settings/settings.tsx'), 'Settings');
const Events = screen(() => import('./screens/events/events.tsx'), 'Events');
const EventScreen = screen(() => import('./screens/event/event.tsx'), 'EventScreen');
const DeadLetters = screen(() => import('./screens/dead-letters/dead-letters.tsx'), 'DeadLetters');
const Contacts = screen(() => import('./screens/contacts/contacts.tsx'), 'Contacts');
const Conflicts = screen(() => import('./screens/conflicts/conflicts.tsx'), 'Conflicts');
const Erasures = screen(() => import('./screens/erasures/erasures.tsx'), 'Erasures');
const ContactScreen = screen(() => import('./screens/contact/contact.tsx'), 'ContactScreen');
const Inbox = screen(() => import('./screens/inbox/inbox.tsx'), 'Inbox');
const Channels = screen(() => import('./screens/channels/channels.tsx'), 'Channels');
const ChannelScreen = screen(() => import('./screens/channels/channel.tsx'), 'ChannelScreen');
const Notices = screen(() => import('./screens/notices/notices.tsx'), 'Notices');
const Agents = screen(() => import('./screens/team/agents.tsx'), 'Agents');
const Sectors = screen(() => import('./screens/team/named-records.tsx'), 'Sectors');
const Labels = screen(() => import('./screens/team/named-records.tsx'), 'Labels');
const Tokens = screen(() => import('./screens/tokens/tokens.tsx'), 'Tokens');
const Audit = screen(() => import('./screens/audit/audit.tsx'), 'Audit');

/** The overview. A token of the inbox alone has no overview. */
function Home() {
  return useHasScope('viewer') ? <Overview /> : <Navigate to="/inbox" replace />;
}

/** Each path has its page of help. */
type Place = { readonly path: ScreenPath; readonly Screen: ComponentType; readonly scope?: Scope };

const routes: readonly Place[] = [
  { path: '/', Screen: Home },
  { path: '/webhooks', Screen: Webhooks },
  { path: '/webhooks/new', Screen: NewWebhook, scope: 'operator' },
  { path: '/webhooks/:id/setup', Screen: Setup, scope: 'operator' },
  { path: '/events', Screen: Events },
  { path: '/events/:id', Screen: EventScreen },
  { path: '/dead-letters', Screen: DeadLetters },
  { path: '/inbox', Screen: Inbox, scope: 'inbox' },
  { path: '/contacts', Screen: Contacts },
  { path: '/contacts/conflicts', Screen: Conflicts },
  { path: '/contacts/erasures', Screen: Erasures, scope: 'admin' },
  { path: '/contacts/:id', Screen: ContactScreen },
  { path: '/channels', Screen: Channels },
  { path: '/channels/:id', Screen: ChannelScreen },
  { path: '/notices', Screen: Notices },
  { path: '/team/agents', Screen: Agents, scope: 'inbox' },
  { path: '/team/sectors', Screen: Sectors, scope: 'inbox' },
  { path: '/team/labels', Screen: Labels, scope: 'inbox' },
  { path: '/tokens', Screen: Tokens, scope: 'admin' },
  { path: '/audit', Screen: Audit, scope: 'admin' },
];

const webhookPath = '/webhooks/:id';

/** Pages of one webhook, under its heading and tabs. */
const webhookRoutes: readonly Place[] = [
  { path: webhookPath, Screen: Summary },
  { path: '/webhooks/:id/mapping', Screen: Mapping },
  { path: '/webhooks/:id/versions', Screen: Versions },
  { path: '/webhooks/:id/samples', Screen: Samples },
  { path: '/webhooks/:id/rejections', Screen: Rejections },
  { path: '/webhooks/:id/drift', Screen: Drift },
  { path: '/webhooks/:id/keys', Screen: Keys, scope: 'operator' },
  { path: '/webhooks/:id/settings', Screen: Settings },
];

export function Screens() {
  return (
    <Routes>
      <Route element={<Shell />}>
        {routes.map((place) => (
          <Route key={place.path} path={place.path} element={<Allowed {...place} />} />
        ))}
        <Route path={webhookPath} element={<Allowed path={webhookPath} Screen={WebhookLayout} />}>
          {webhookRoutes.map((place) => (
            <Route
              key={place.path}
              {...(place.path === webhookPath ? { index: true } : { path: place.path })}
              element={<Allowed {...place} />}
            />
          ))}
        </Route>
        <Route path="*" element={<NotFound />} />
      </Route>
    </Routes>
  );
}

function Allowed({ path, Screen, scope = 'viewer' }: Place) {
  const { formatMessage } = useIntl();
  const isAllowed = useHasScope(scope);
  if (isAllowed || path === '/') return <Screen />;
  return (
    <EmptyState title={formatMessage({ id: 'shell.forbidden' })}>
      {formatMessage({ id: 'shell.forbiddenHint' })}
    </EmptyState>
  );
}

function NotFound() {
  const { formatMessage } = useIntl();
  return (
    <EmptyState
      title={formatMessage({ id: 'shell.notFound' })}
      action={<LinkButton href="/">{formatMessage({ id: 'shell.toOverview' })}</LinkButton>}
    >
      {formatMessage({ id: 'shell.notFoundHint' })}
    </EmptyState>
  );
}
