/** What an installation has, read for a plan. Archived webhooks are left out: files do not describe them. */
import type { Answer } from '../../client/client.ts';
import { listAll } from '../../client/pages.ts';
import type { Inlet } from '../connection/connect.ts';
import { isSame, withoutNulls } from './difference.ts';
import { secretMark, type Json } from './secrets.ts';

export type Webhook = Answer<'getWebhook'>;
export type Version = Answer<'getWebhookMapping'>;
export type Server = Awaited<ReturnType<typeof readServer>>;
type Versions = { readonly active: Version | null; readonly newest: Version | null };

/** Events that an activation is compared over. */
const comparedEvents = 100;

export async function readServer(inlet: Inlet) {
  const [channels, all, targets, { kinds }, { kinds: targetKinds }] = [
    await listAll(inlet, 'listChannels'),
    await listAll(inlet, 'listWebhooks'),
    await listAll(inlet, 'listNoticesTargets'),
    await inlet.call('listChannelKinds', {}),
    await inlet.call('listNoticeTargetKinds', {}),
  ];
  const webhooks = all.filter(({ status }) => status !== 'archived');
  const live = new Set(webhooks.map(({ id }) => id));
  return {
    channels,
    webhooks,
    archived: all.filter(({ id }) => !live.has(id)).map(({ name }) => name),
    targets: targets.filter(({ webhookId }) => webhookId === null || live.has(webhookId)),
    secretsOf: (noun: 'channel' | 'notice target', kind: string): readonly string[] =>
      (noun === 'channel' ? kinds : targetKinds).find((one) => one.kind === kind)?.secrets ?? [],
    readSettings: async (id: string) =>
      settingsState(await inlet.call('getWebhookSettings', { params: { id } })),
    readRules: async (id: string | undefined) => {
      const read = id
        ? inlet.call('getWebhookNoticeRules', { params: { id } })
        : inlet.call('getNoticesRules', {});
      return (await read).rules as Json;
    },
    readVersions: (webhook: Webhook) => readVersions(inlet, webhook),
    effectOf: ({ id }: Webhook, mapping: Json) => describeEffect(inlet, id, mapping),
  };
}

export type RecordRow = Answer<'getChannel'> | Answer<'getNoticesTarget'>;

/** A channel or target as a file describes it. Secrets are marks. */
export function recordState(row: RecordRow): Json {
  const { name, enabled, settings, secretsSet } = row;
  const marks = Object.fromEntries(secretsSet.map((secret) => [secret, secretMark(null)]));
  const shown = { ...withoutNulls(settings as Json), ...marks };
  if (!('reminderHours' in row)) return { name, enabled, settings: shown };
  const { kinds, language, quietHours, reminderHours } = row;
  return { name, enabled, kinds, language, quietHours, reminderHours, settings: shown };
}

/** Secrets are marks, as in a plan. */
function settingsState(shown: Answer<'getWebhookSettings'>): Json {
  const { updatedAt: _, signature, handshake, ...rest } = shown;
  const count = signature?.secretsSet ?? 0;
  const { secretsSet: _count, ...scheme } = signature ?? { secretsSet: 0 };
  const { verifyTokenSet, ...challenge } = handshake ?? { verifyTokenSet: false };
  return withoutNulls({
    ...rest,
    signature: signature && { ...scheme, secrets: secretMark(Array.from({ length: count })) },
    handshake: handshake && { ...challenge, verifyToken: verifyTokenSet ? secretMark(null) : null },
  });
}

/** Its activation resumes it. */
export const isPaused = ({ status }: Webhook): boolean => status === 'paused';

/** How the state that a plan is made from is read again. */
const reads = {
  channel: ['getChannel', recordState],
  'notice target': ['getNoticesTarget', recordState],
  webhook: ['getWebhook', (row: Webhook): Json => ({ ...row, isPaused: isPaused(row) })],
  settings: [
    'getWebhookSettings',
    (shown: Answer<'getWebhookSettings'>): Json => ({ settings: settingsState(shown) }),
  ],
  'notice rules': ['getWebhookNoticeRules', ({ rules }: { rules: object }): Json => ({ rules })],
} as const;
/** Without an id: of the installation. */
export type Seen = {
  readonly of: keyof typeof reads;
  readonly id: string | undefined;
  readonly value: Json;
};

/** Returns the etag of the record if it still is what was seen, otherwise null. */
export async function tagIfSame(inlet: Inlet, { of, id, value }: Seen): Promise<string | null> {
  const [operation, stateOf] = reads[of];
  const { data, tag } = await (id
    ? inlet.read(operation, { params: { id } })
    : inlet.read('getNoticesRules', {}));
  const state = stateOf(data as never);
  const current = Object.fromEntries(Object.keys(value).map((name) => [name, state[name]]));
  return isSame(current, value) ? tag : null;
}

async function readVersions(inlet: Inlet, { id, activeVersion }: Webhook): Promise<Versions> {
  const query = { per_page: 1, sort_by: '-version' } as const;
  const { results } = await inlet.call('listWebhookMappings', { params: { id }, query });
  const [newest = null] = results;
  if (activeVersion === null || activeVersion === newest?.version) {
    return { newest, active: activeVersion === null ? null : newest };
  }
  const params = { id, version: String(activeVersion) };
  return { newest, active: await inlet.call('getWebhookMapping', { params }) };
}

/** The version with this mapping: the active one, or else the newest. */
export function findVersion({ active, newest }: Versions, mapping: Json): number | null {
  const has = (one: Version | null) => one !== null && isSame(one.mapping as Json, mapping);
  if (has(active)) return active?.version ?? null;
  return has(newest) ? (newest?.version ?? null) : null;
}

async function describeEffect(inlet: Inlet, id: string, mapping: Json): Promise<string> {
  const { counts } = await inlet.call('diffWebhookMappings', {
    params: { id },
    body: { mapping: mapping as Version['mapping'], last: comparedEvents },
  });
  const { same, changed, newlyFailing, newlyPassing } = counts;
  const total = same + changed + newlyFailing + newlyPassing;
  if (total === 0) return 'There is no event to compare it over.';
  const parts = [
    `${changed} would change`,
    `${newlyFailing} would fail now`,
    `${newlyPassing} would no longer fail`,
  ];
  return `Of the last ${total} results ${same} would stay the same, ${parts.join(', ')}.`;
}
