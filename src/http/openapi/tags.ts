/** The tags of operations, in the order of the document. */
const described = [
  ['Receiving', 'What senders call: the secret URL, and receipts of sent events.'],
  ['Channels', 'Where messages go. Secrets of their settings go in and never come out.'],
  ['Webhooks', 'A secret URL with a mapping and a channel; `setup.next` says what to do next.'],
  ['Keys', 'Path keys of a webhook: rotated with an overlap, metered, revoked.'],
  ['Samples', 'Payloads to write a mapping from: the last 200 and the pinned ones.'],
  [
    'Rejections',
    'Requests with a valid key that were not accepted: the last 100, and counts by code.',
  ],
  ['Mappings', 'Versions of the mapping document: suggest, preview, compare and activate.'],
  ['Test events', 'Payloads processed as tests by the whole pipeline, with a test contact.'],
  ['Settings', 'Verification, responses, retries, limits and retention of a webhook.'],
  ['Drift', 'Observed payload paths and types, and their changes.'],
  ['Events', 'Received events and their outcomes.'],
  ['Dead letters', 'Dead events, grouped by webhook and reason.'],
  ['Runs', 'Bulk replays and discards, with progress.'],
  ['Deliveries', 'Deliveries of messages to external channels.'],
  ['Notices', 'Conditions that need a person, their rules, and where they are sent.'],
  ['Contacts', 'Contacts: search, update, merge, unmerge and erase.'],
  ['Blocks', 'Blocked identities, stored as hashes.'],
  ['Erasures', 'Erasures and their certificates, without personal data.'],
  ['Tokens', 'Access tokens, with scopes and restrictions.'],
  ['Console', 'The session of a browser that is signed in to the console.'],
  ['Audit', 'The audit log: who changed what, and when.'],
  ['Stats', 'Counters by webhook and time, and the current health.'],
  ['Database', 'Whether the database is whole, as after a restore.'],
  ['Drills', 'Faults on purpose, where an installation allows them.'],
  ['Catalogue', 'Available channel kinds, producers, transforms and reasons.'],
  ['Agents', 'The people who answer chats.'],
  ['Chats', 'Chats, their messages and contacts, for agents.'],
  ['Users', 'Agents, as clients of the conversations API name them.'],
  ['Labels', 'Labels of chats, by their names in mappings.'],
  ['Sectors', 'Sectors of chats, by their names in mappings.'],
] as const;

export type TagName = (typeof described)[number][0];
export const tags = described.map(([name, description]) => ({ name, description }));
