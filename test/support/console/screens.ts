// Every screen of the console with its URL, for the seeded data.

/** The ids of seeded records that are part of URLs. */
export type Seeded = {
  readonly webhook: string;
  readonly drifting: string;
  readonly failing: string;
  readonly sampled: string;
  readonly draft: string;
  readonly event: string;
  readonly deadEvent: string;
  readonly contact: string;
  readonly chat: string;
  readonly channel: string;
};

export type Screen = { readonly name: string; readonly path: string };

export const screensOf = (seeded: Seeded): Screen[] => {
  const webhook = `/webhooks/${seeded.webhook}`;
  return [
    { name: 'overview', path: '/' },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'new-webhook', path: '/webhooks/new' },
    { name: 'setup-waiting', path: `/webhooks/${seeded.draft}/setup` },
    { name: 'setup-mapping', path: `/webhooks/${seeded.sampled}/setup` },
    { name: 'webhook', path: webhook },
    { name: 'mapping', path: `${webhook}/mapping` },
    { name: 'repair', path: `/webhooks/${seeded.failing}/mapping?event=${seeded.deadEvent}` },
    { name: 'versions', path: `${webhook}/versions` },
    { name: 'samples', path: `${webhook}/samples` },
    { name: 'rejections', path: `/webhooks/${seeded.failing}/rejections` },
    { name: 'drift', path: `/webhooks/${seeded.drifting}/drift` },
    { name: 'keys', path: `${webhook}/keys` },
    { name: 'settings', path: `${webhook}/settings` },
    { name: 'events', path: '/events' },
    { name: 'event', path: `/events/${seeded.event}` },
    { name: 'dead-event', path: `/events/${seeded.deadEvent}` },
    { name: 'dead-letters', path: '/dead-letters' },
    { name: 'inbox', path: '/inbox' },
    { name: 'chat', path: `/inbox?chat=${seeded.chat}` },
    { name: 'contacts', path: '/contacts' },
    { name: 'contact', path: `/contacts/${seeded.contact}` },
    { name: 'conflicts', path: '/contacts/conflicts' },
    { name: 'erasures', path: '/contacts/erasures' },
    { name: 'channels', path: '/channels' },
    { name: 'channel', path: `/channels/${seeded.channel}` },
    { name: 'notices', path: '/notices' },
    { name: 'agents', path: '/team/agents' },
    { name: 'sectors', path: '/team/sectors' },
    { name: 'labels', path: '/team/labels' },
    { name: 'tokens', path: '/tokens' },
    { name: 'audit', path: '/audit' },
  ];
};
