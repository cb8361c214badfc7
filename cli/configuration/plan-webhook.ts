/** Plans a webhook: its name and channel, settings, sample, rules of notices and mapping. */
import { readFileSync } from 'node:fs';
import { idOf, planChange, type Context } from './change.ts';
import { changesBetween } from './difference.ts';
import { markedSettings, type WebhookFile } from './files.ts';
import { webhookSecrets, type Json } from './secrets.ts';
import { findVersion, isPaused, type Version, type Webhook } from './server-state.ts';
import type { Run, Step } from './step.ts';

const archivedNote =
  'An archived webhook has this name. It stays archived; restore it first to go on with its URL and its events.';

type Found = Webhook | undefined;

/** Its creation, or a new name or channel. */
function planOwnFields(file: WebhookFile, found: Found, { server, ids }: Context): Step[] {
  const { name, channel } = file;
  const body = () => ({ name, channelId: idOf(ids.channel, channel) });
  if (!found) {
    const changes = [{ path: 'channel', after: channel }];
    const notes = server.archived.includes(name) ? [archivedNote] : [];
    const run = async ({ inlet, deliverUrl }: Run) => {
      const { id, url } = await inlet.call('createWebhook', { body: body() });
      ids.webhook.set(name, id);
      deliverUrl({ webhook: name, id, url });
    };
    return [{ verb: 'create', noun: 'webhook', name, changes, notes, run }];
  }
  const { id, channelId } = found;
  const former = server.channels.find((one) => one.id === channelId)?.name;
  const isSame = ids.channel.get(channel) === channelId;
  const current = { name: found.name, channel: isSame ? channel : former };
  const changes = changesBetween(current, { name, channel });
  if (changes.length === 0) return [];
  const seen = { of: 'webhook', id, value: { name: found.name, channelId } } as const;
  const run = ({ inlet, headers }: Run) =>
    inlet.call('updateWebhook', { params: { id }, body: body(), headers });
  return [{ verb: 'change', noun: 'webhook', name, changes, notes: [], seen, run }];
}

/** Settings and rules of notices. */
async function planParts(file: WebhookFile, found: Found, context: Context): Promise<Step[]> {
  const { server, options, ids } = context;
  const { name, noticeRules } = file;
  const part = { name, id: found?.id, isSeen: found !== undefined };
  const params = () => ({ id: idOf(ids.webhook, name) });
  const steps: Step[] = [];
  if (file.settings) {
    const normal = { producerProfile: 'generic' };
    const current = { settings: found ? await server.readSettings(found.id) : normal };
    const settings = { ...normal, ...markedSettings(file, webhookSecrets, options) };
    const secrets = webhookSecrets;
    const whole = { ...part, current, wanted: { settings }, file, secrets };
    const update = ({ inlet, headers }: Run, { settings: body }: Json) =>
      inlet.call('updateWebhookSettings', { params: params(), body: body as Json, headers });
    steps.push(...planChange({ ...whole, noun: 'webhook', of: 'settings' }, update));
  }
  if (file.sample !== undefined && !found?.setup.sample) {
    const path = file.sample;
    const run = ({ inlet }: Run) => {
      const body = { rawBody: readFileSync(path, 'utf8') };
      return inlet.call('createWebhookSample', { params: params(), body });
    };
    steps.push({ verb: 'add', noun: 'sample', name, changes: [], notes: [], run });
  }
  if (noticeRules) {
    const current = { rules: found ? await server.readRules(found.id) : {} };
    const whole = { ...part, current, wanted: { rules: noticeRules } };
    const update = ({ inlet, headers }: Run, { rules: body }: Json) =>
      inlet.call('updateWebhookNoticeRules', { params: params(), body: body as Json, headers });
    steps.push(...planChange({ ...whole, noun: 'notice rules', of: 'notice rules' }, update));
  }
  return steps;
}

async function planMapping(file: WebhookFile, found: Found, context: Context): Promise<Step[]> {
  const { server, options, ids } = context;
  const { mapping, name } = file;
  if (!mapping) return [];
  const versions = found ? await server.readVersions(found) : { active: null, newest: null };
  let version = findVersion(versions, mapping);
  const params = () => ({ id: idOf(ids.webhook, name) });
  const steps: Step[] = [];
  if (version === null) {
    const changes = changesBetween((versions.newest?.mapping ?? {}) as Json, mapping);
    const body = { mapping: mapping as Version['mapping'] };
    const run = async ({ inlet }: Run) => {
      ({ version } = await inlet.call('createWebhookMapping', { params: params(), body }));
    };
    steps.push({ verb: 'add', noun: 'mapping', name, changes, notes: [], run });
  }
  const isActive = version !== null && version === found?.activeVersion;
  if (!options.activate || isActive) return steps;
  const notes = [
    ...(found && isPaused(found) ? ['It is paused: the activation resumes it.'] : []),
    ...(found && versions.active ? [await server.effectOf(found, mapping)] : []),
  ];
  const value = found && { activeVersion: found.activeVersion, isPaused: isPaused(found) };
  const seen = value && ({ of: 'webhook', id: found.id, value } as const);
  const run = ({ inlet, headers }: Run) => {
    const active = { ...params(), version: String(version) };
    return inlet.call('activateWebhookMapping', { params: active, headers });
  };
  steps.push({ verb: 'activate', noun: 'version', name, changes: [], notes, seen, run });
  return steps;
}

export const planWebhook = async (
  file: WebhookFile,
  found: Found,
  context: Context,
): Promise<Step[]> => [
  ...planOwnFields(file, found, context),
  ...(await planParts(file, found, context)),
  ...(await planMapping(file, found, context)),
];
