/** Names and tags of operations, derived from method and path. */
import type { Route } from '../routing/route.ts';

type Named = Pick<Route, 'method' | 'path' | 'answer' | 'stream'>;

/** In the order of the document. A path's last noun in this list decides. */
export const tagsByNoun: Readonly<Record<string, readonly [name: string, about: string]>> = {
  webhook: ['Receiving', 'What senders call: the secret URL, and receipts of sent events.'],
  channels: ['Channels', 'Where messages go. Secrets of their settings go in and never come out.'],
  webhooks: [
    'Webhooks',
    'A secret URL with a mapping and a channel; `setup.next` says what to do next.',
  ],
  keys: ['Keys', 'Path keys of a webhook: rotated with an overlap, metered, revoked.'],
  samples: ['Samples', 'Payloads to write a mapping from: the last 200 and the pinned ones.'],
  rejections: [
    'Rejections',
    'Requests with a valid key that were not accepted: the last 100, and counts by code.',
  ],
  mappings: [
    'Mappings',
    'Versions of the mapping document: suggest, preview, compare and activate.',
  ],
  'test-events': [
    'Test events',
    'Payloads processed as tests by the whole pipeline, with a test contact.',
  ],
  settings: ['Settings', 'Verification, responses, retries, limits and retention of a webhook.'],
  drift: ['Drift', 'Observed payload paths and types, and their changes.'],
  events: ['Events', 'Received events and their outcomes.'],
  'dead-letters': ['Dead letters', 'Dead events, grouped by webhook and reason.'],
  replays: ['Runs', 'Bulk replays and discards, with progress.'],
  deliveries: ['Deliveries', 'Deliveries of messages to external channels.'],
  notices: ['Notices', 'Conditions that need a person, their rules, and where they are sent.'],
  contacts: ['Contacts', 'Contacts: search, update, merge, unmerge and erase.'],
  blocks: ['Blocks', 'Blocked identities, stored as hashes.'],
  erasures: ['Erasures', 'Erasures and their certificates, without personal data.'],
  tokens: ['Tokens', 'Access tokens, with scopes and restrictions.'],
  session: ['Console', 'The session of a browser that is signed in to the console.'],
  audit: ['Audit', 'The audit log: who changed what, and when.'],
  stats: ['Stats', 'Counters by webhook and time, and the current health.'],
  database: ['Database', 'Whether the database is whole, as after a restore.'],
  drills: ['Drills', 'Faults on purpose, where an installation allows them.'],
  catalogue: ['Catalogue', 'Available channel kinds, producers, transforms and reasons.'],
  agents: ['Agents', 'The people who answer chats.'],
  chat: ['Chats', 'Chats, their messages and contacts, for agents.'],
  user: ['Users', 'Agents, as clients of the conversations API name them.'],
  'label-template': ['Labels', 'Labels of chats, by their names in mappings.'],
  sector: ['Sectors', 'Sectors of chats, by their names in mappings.'],
};

const isParam = (segment: string): boolean => segment.startsWith(':');
const segmentsOf = (path: string): string[] =>
  path.split('/').filter((segment) => !['', 'v1', 'admin'].includes(segment));

export function tagOfPath(path: string): string {
  const nouns = segmentsOf(path).filter((segment) => Object.hasOwn(tagsByNoun, segment));
  return tagsByNoun[nouns.at(-1) ?? '']?.[0] ?? 'Catalogue';
}

const pascal = (words: string): string =>
  words.replaceAll(/(?:^|[-_])(\w)/g, (_all, first: string) => first.toUpperCase());

function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}

/** A noun before a parameter becomes singular. */
const chain = (segments: readonly string[]): string =>
  segments
    .map((segment, index) => {
      if (isParam(segment)) return '';
      const isOne = isParam(segments[index + 1] ?? '');
      return pascal(isOne ? singular(segment) : segment);
    })
    .join('');

/** GET operations named by a verb of their own. */
const readingVerbs: Readonly<Record<string, string>> = {
  export: 'export',
  live: 'watch',
  verify: 'verify',
};

const writingVerbs: Readonly<Record<string, string>> = { file: 'upload' };

const isPage = ({ answer }: Named): boolean => {
  const { properties = {} } = answer as { properties?: object };
  return Object.hasOwn(properties, 'results');
};

/** Names of operations whose path gives a poor name. */
const ownNames: Readonly<Record<string, string>> = {
  'GET /v1/admin/channels/kinds': 'listChannelKinds',
  'GET /v1/admin/webhooks/configurations': 'listWebhookConfigurations',
  'GET /v1/admin/webhooks/counts': 'countWebhooks',
  'GET /v1/admin/webhooks/:id/keys/hashes': 'getWebhookKeyHashes',
  'POST /v1/admin/webhooks/:id/keys': 'importWebhookKey',
  'GET /v1/admin/webhooks/:id/rejections/counts': 'countWebhookRejections',
  'POST /v1/admin/webhooks/:id/rejections/:rejectionId/sample': 'addWebhookRejectionAsSample',
  'POST /v1/admin/webhooks/:id/rejections/:rejectionId/event': 'recordWebhookRejection',
  'GET /v1/admin/contacts/conflicts': 'listContactConflicts',
  'POST /v1/admin/contacts/conflicts/:id/dismiss': 'dismissContactConflict',
  'GET /v1/admin/notices/targets/kinds': 'listNoticeTargetKinds',
  'GET /v1/admin/audit/:id': 'getAuditRow',
  'GET /v1/admin/tokens/current': 'getCurrentToken',
  'POST /v1/admin/database/verifications': 'recordBackupVerification',
  'POST /v1/admin/drills': 'startDrill',
  'POST /v1/console/session': 'createConsoleSession',
  'GET /v1/chat': 'listChats',
  'GET /v1/chat/live': 'watchChats',
  'GET /v1/chat/search': 'searchMessages',
  'GET /v1/chat/unread-summary': 'countUnreadChats',
  'GET /v1/chat/official-opening/context': 'getOfficialOpeningContext',
  'GET /v1/chat/:chat_id/official-conversation/context': 'getOfficialChatContext',
  'GET /v1/chat/:chat_id/details': 'getChatDetails',
  'GET /v1/chat/:chat_id/search': 'searchChatMessages',
  'POST /v1/chat/:chat_id': 'sendMessage',
  'POST /v1/chat/start-with-contact': 'startChat',
  'PATCH /v1/chat/:chat_id/label': 'replaceChatLabels',
  'POST /v1/chat/:chat_id/read': 'markChatRead',
  'POST /v1/chat/contacts/batch': 'createChatContacts',
  'GET /v1/chat/users': 'listChatUsers',
  'GET /v1/chat/workers': 'listChatWorkers',
  'GET /v1/chat/sectors': 'listChatSectors',
  'GET /v1/chat/label-templates': 'listChatLabels',
  'GET /v1/chat/transfer/users': 'listTransferUsers',
  'GET /v1/chat/transfer/sectors': 'listTransferSectors',
  'GET /v1/chat/transfer/sectors/:sector_id/users': 'listTransferSectorUsers',
  'GET /v1/user': 'listUsers',
  'GET /v1/user/all': 'listActiveUsers',
  'GET /v1/sector': 'listSectors',
  'GET /v1/sector/all': 'listActiveSectors',
  'GET /v1/sector/:sector_id/users': 'listSectorUsers',
  'GET /v1/label-template': 'listLabels',
  'POST /v1/label-template': 'createLabel',
  'GET /v1/label-template/all': 'listActiveLabels',
  'GET /v1/label-template/:label_template_id': 'getLabel',
  'PATCH /v1/label-template/:label_template_id': 'updateLabel',
  'DELETE /v1/label-template/:label_template_id': 'deleteLabel',
  'GET /v1/chat/contacts/by-phone': 'findChatContactByPhone',
};

/** Returns the operation id, such as `listWebhooks` or `rotateWebhookKeys`. A test checks that ids are unique. */
export function operationIdOf(route: Named, routes: readonly Named[]): string {
  const { method, path } = route;
  const own = ownNames[`${method} ${path}`];
  if (own) return own;
  const segments = segmentsOf(path);
  const last = segments.at(-1) ?? '';
  const before = segments.slice(0, -1);
  if (method === 'PATCH') return `update${chain(segments)}`;
  if (method === 'DELETE') return `delete${chain(segments)}`;
  if (method === 'GET') {
    const verb = readingVerbs[last];
    if (verb) return verb + chain(before);
    return (isPage(route) && !isParam(last) ? 'list' : 'get') + chain(segments);
  }
  const isCollection = routes.some(
    (other) => other !== route && (other.path === path || other.path.startsWith(`${path}/:`)),
  );
  if (isCollection) return `create${chain(before)}${pascal(singular(last))}`;
  const [verb = '', ...rest] = pascal(writingVerbs[last] ?? last);
  return verb.toLowerCase() + rest.join('') + chain(before);
}

export const typeNameOf = (operationId: string): string =>
  operationId.slice(0, 1).toUpperCase() + operationId.slice(1);

/** Returns the name of one resource of the path, such as `Webhook` or `WebhookKey`. */
export const resourceNameOf = (path: string): string => {
  const segments = segmentsOf(path);
  const nouns = isParam(segments.at(-1) ?? '') ? segments : [...segments, ':one'];
  return chain(nouns);
};
