/** The changes of an audit row: the leaves that differ between `before` and `after`. */
import type { Answer, Request } from '../../api/operation.ts';

export type Row = Answer<'listAudit'>['results'][number];

export type Difference = {
  readonly path: string;
  /** As text; null when absent. */
  readonly before: string | null;
  readonly after: string | null;
};

// More than users read.
const maxRows = 300;
const maxDepth = 12;
const maxTextLength = 2_000;

const isMembers = (value: unknown): value is object => typeof value === 'object' && value !== null;

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

const isPlainList = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => !isMembers(one));

function leavesOf(value: unknown): Map<string, string | null> {
  const leaves = new Map<string, string | null>();
  const visit = (at: string, one: unknown, depth: number): void => {
    if (leaves.size >= maxRows) return;
    if (!isMembers(one) || isPlainList(one) || depth >= maxDepth) {
      leaves.set(at, textOf(one));
      return;
    }
    for (const [name, member] of Object.entries(one)) {
      visit(at === '' ? name : `${at}.${name}`, member, depth + 1);
    }
  };
  if (isMembers(value)) visit('', value, 0);
  return leaves;
}

export function differencesOf({ before, after }: Pick<Row, 'before' | 'after'>): Difference[] {
  const [was, is] = [leavesOf(before), leavesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path) ?? null, after: is.get(path) ?? null }))
    .filter((one) => one.path !== '' && one.before !== one.after);
}

const places: Readonly<Partial<Record<Row['target']['type'], string>>> = {
  channel: '/channels/:id',
  contact: '/contacts/:id',
  event: '/events/:id',
  webhook: '/webhooks/:webhook',
  key: '/webhooks/:webhook/keys',
  mapping: '/webhooks/:webhook/versions',
  sample: '/webhooks/:webhook/samples',
  run: '/dead-letters',
  conflict: '/contacts/conflicts',
  erasure: '/contacts/erasures',
  block: '/contacts/erasures',
  token: '/tokens',
};

/** The URL of the target's screen; null when it has none. */
export function hrefOf(row: Row): string | null {
  const place = places[row.target.type];
  const webhookId = webhookIdOf(row);
  if (place === undefined || (place.includes(':webhook') && webhookId === null)) return null;
  return place.replace(':id', row.target.id).replace(':webhook', webhookId ?? '');
}

/** The facts, the later ones first. */
const factsOf = ({ before, after }: Row) =>
  [after, before].filter((facts): facts is Record<string, unknown> => isMembers(facts));

/** The id of the webhook that the row is about or belongs to; a mapping uses its webhook's id. */
export function webhookIdOf(row: Row): string | null {
  const { type, id } = row.target;
  if (type === 'webhook' || type === 'mapping') return id;
  for (const { webhookId, filter } of factsOf(row)) {
    if (typeof webhookId === 'string') return webhookId;
    const among = isMembers(filter) && 'webhookId' in filter ? filter.webhookId : null;
    if (Array.isArray(among) && among.length === 1) return String(among[0]);
  }
  return null;
}

/** The display name of the target. For a contact only the end of the id, because the name may be erased later. */
export function nameOf(row: Row): string | null {
  const { type, id } = row.target;
  if (type === 'contact' || type === 'erasure' || type === 'conflict') return shortOf(id);
  for (const facts of factsOf(row)) {
    if (typeof facts['name'] === 'string') return facts['name'];
    if (typeof facts['lastFour'] === 'string') return `…${facts['lastFour']}`;
    if (type === 'mapping' && typeof facts['version'] === 'number') return `v${facts['version']}`;
  }
  return type === 'event' || type === 'delivery' ? shortOf(id) : null;
}

const shortOf = (id: string): string => `…${id.slice(-6)}`;

export const targetTypes = [
  'webhook',
  'channel',
  'key',
  'mapping',
  'sample',
  'rejection',
  'event',
  'delivery',
  'drill',
  'backup',
  'run',
  'contact',
  'chat',
  'label',
  'sector',
  'agent',
  'conflict',
  'erasure',
  'block',
  'target',
  'rules',
  'token',
  'secrets',
  'audit',
] as const;

/** In display order. */
export const actions = [
  'webhook.create',
  'webhook.update',
  'webhook.configure',
  'webhook.activate',
  'webhook.rollback',
  'webhook.schedule',
  'webhook.unschedule',
  'webhook.schedule_failed',
  'webhook.pause',
  'webhook.resume',
  'webhook.archive',
  'webhook.restore',
  'channel.create',
  'channel.change',
  'channel.delete',
  'key.rotate',
  'key.import',
  'key.revoke',
  'mapping.create',
  'sample.create',
  'sample.change',
  'sample.delete',
  'rejection.record',
  'rejection.delete',
  'event.replay',
  'event.remap',
  'event.discard',
  'event.reveal',
  'event.export',
  'event.test',
  'event.test_delete',
  'replay.create',
  'replay.cancel',
  'discard.create',
  'discard.cancel',
  'delivery.retry',
  'contact.create',
  'contact.change',
  'contact.merge',
  'contact.unmerge',
  'drill.start',
  'backup.verify',
  'contact.erase',
  'erasure.finish',
  'conflict.dismiss',
  'block.remove',
  'chat.start',
  'chat.take',
  'chat.transfer',
  'chat.label',
  'chat.join',
  'chat.leave',
  'chat.close',
  'label.create',
  'label.change',
  'label.delete',
  'sector.create',
  'sector.change',
  'sector.delete',
  'agent.create',
  'agent.change',
  'agent.delete',
  'target.create',
  'target.change',
  'target.delete',
  'rules.change',
  'token.create',
  'token.change',
  'token.revoke',
  'secrets.rotate',
  'audit.redact',
  'audit.forget',
] as const;

type Filter = NonNullable<Request<'exportAudit'>['query']>;

/** Parses the filters of the URL; invalid values are ignored. */
export function parseFilter(search: URLSearchParams): Filter {
  const word = (name: string) => search.get(name)?.trim() ?? '';
  const day = (name: string) => (/^\d{4}-\d{2}-\d{2}$/.test(word(name)) ? word(name) : '');
  const type = targetTypes.find((one) => one === word('target'));
  return {
    ...(word('actor') !== '' && { actor: [word('actor')] }),
    ...(word('action') !== '' && { action: [word('action')] }),
    ...(type && { targetType: [type] }),
    ...(word('id') !== '' && { targetId: [word('id')] }),
    ...(day('from') !== '' && { from: day('from') }),
    ...(day('to') !== '' && { to: day('to') }),
  };
}
