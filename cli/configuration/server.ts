/** What an installation has, read for a plan. Archived webhooks are left out: files do not describe them. */
import { listAll, type Item } from '../../client/pages.ts';
import type { Inlet } from '../connection/connect.ts';
import { isSame, pick } from './difference.ts';
import { kinds, stateOf, type Noun, type Part } from './kinds.ts';
import type { Json } from './secrets.ts';

type Configured = Item<'listWebhookConfigurations'>;
/** A record. */
export type Row = {
  readonly id: string | undefined;
  readonly name: string;
  /** As a file has it. Names may change while a plan is made. */
  readonly state: () => Json;
  /** Pointers into the state. */
  readonly secrets: readonly string[];
  readonly configured?: Configured;
};
export type Server = Awaited<ReturnType<typeof readServer>>;

/** As many as the API gives at once. */
const webhooksPerPage = 50;

export async function readServer(inlet: Inlet) {
  const names = new Map<string | null, string>();
  const channels = await listAll(inlet, 'listChannels');
  const all = await listAll(inlet, 'listWebhookConfigurations', { per_page: webhooksPerPage });
  const targets = await listAll(inlet, 'listNoticesTargets');
  const { rules } = await inlet.call('getNoticesRules', {});
  const webhooks = all.filter(({ webhook }) => webhook.status !== 'archived');
  for (const { id, name } of [...channels, ...webhooks.map((one) => one.webhook)])
    names.set(id, name);
  const rowOf = (noun: Noun, record: (typeof channels | typeof targets)[number]): Row => ({
    id: record.id,
    name: record.name,
    state: () => stateOf(kinds[noun].parts[0], record, names),
    secrets: record.secretsSet.map((secret) => `/settings/${secret}`),
  });
  const webhookRow = (configured: Configured): Row => {
    const { webhook, settings, noticeRules, active, newest } = configured;
    const { mapping } = active ?? newest ?? {};
    const answers = [webhook, settings, { rules: noticeRules }];
    const states = () =>
      kinds.webhook.parts.map((part, index) => stateOf(part, answers[index] ?? {}, names));
    return {
      id: webhook.id,
      name: webhook.name,
      state: () => Object.assign({ mapping }, ...states()) as Json,
      secrets: ['/settings/signature/secrets', '/settings/handshake/verifyToken'],
      configured,
    };
  };
  const rows: Readonly<Record<Noun, readonly Row[]>> = {
    channel: channels.map((one) => rowOf('channel', one)),
    webhook: webhooks.map(webhookRow),
    'notice target': targets
      .filter(({ webhookId }) => webhookId === null || names.has(webhookId))
      .map((one) => rowOf('notice target', one)),
    installation: [{ id: undefined, name: '', state: () => ({ noticeRules: rules }), secrets: [] }],
  };
  const archived = all.flatMap(({ webhook: { status, name } }) =>
    status === 'archived' ? name : [],
  );
  return { names, rows, archived };
}

/** What a step was planned from. */
export type Seen = { readonly part: Part; readonly id: string | undefined; readonly value: Json };

/** Returns the etag of the record if it still is what was seen, otherwise null. */
export async function etagIfUnchanged(
  inlet: Inlet,
  { part, id, value }: Seen,
  names: Server['names'],
): Promise<string | null> {
  const { data, tag } = await inlet.read(`get${part.record}` as 'getWebhook', {
    params: { id: id ?? '' },
  });
  const state = stateOf(part, data, names);
  return isSame(pick(state, Object.keys(value)), value) ? tag : null;
}
