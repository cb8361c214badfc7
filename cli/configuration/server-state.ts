/** What an installation has, read for a plan. Archived webhooks are left out: files do not describe them. */
import type { Answer } from '../../client/client.ts';
import { listAll, type Inlet } from '../connection/connect.ts';
import { isSame, withoutNulls } from './difference.ts';
import { secretMark, type Json } from './secrets.ts';

type Webhook = Answer<'getWebhook'>;
export type Version = Answer<'getWebhookMapping'>;
export type Server = Awaited<ReturnType<typeof readServer>>;
type Versions = { readonly active: Version | null; readonly newest: Version | null };

/** Events that an activation is compared over. */
const comparedEvents = 100;

export async function readServer(inlet: Inlet) {
  const channels = await listAll(inlet, 'listChannels');
  const all = await listAll(inlet, 'listWebhooks');
  const { kinds } = await inlet.call('listChannelKinds', {});
  return {
    channels,
    webhooks: all.filter(({ status }) => status !== 'archived'),
    secretsOf: (kind: string): readonly string[] =>
      kinds.find((one) => one.kind === kind)?.secrets ?? [],
    readWebhook: ({ id }: Webhook) => readSettings(inlet, id),
    readVersions: (webhook: Webhook) => readVersions(inlet, webhook),
    effectOf: ({ id }: Webhook, mapping: Json) => describeEffect(inlet, id, mapping),
  };
}

/** Secrets are marks, as in a plan. */
async function readSettings(inlet: Inlet, id: string): Promise<{ readonly settings: Json }> {
  const shown = await inlet.call('getWebhookSettings', { params: { id } });
  const { updatedAt: _, signature, handshake, ...rest } = shown;
  const count = signature?.secretsSet ?? 0;
  const { secretsSet: _count, ...scheme } = signature ?? { secretsSet: 0 };
  const { verifyTokenSet, ...challenge } = handshake ?? { verifyTokenSet: false };
  const settings = {
    ...rest,
    signature: signature && { ...scheme, secrets: secretMark(Array.from({ length: count })) },
    handshake: handshake && { ...challenge, verifyToken: verifyTokenSet ? secretMark(null) : null },
  };
  return { settings: withoutNulls(settings) };
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
