/** The kinds of record that configuration files describe: their fields, and the operations of the API that read and change them. */
import type { Answer } from '../../client/client.ts';
import { pick, withoutNulls } from './difference.ts';
import schema from './inlet.schema.json' with { type: 'json' };
import { secretMark, type Json } from './secrets.ts';

export const nouns = ['channel', 'webhook', 'notice target', 'installation'] as const;
export type Noun = (typeof nouns)[number];
/** Names by ids. */
type Names = ReadonlyMap<string | null, string>;

/** The fields that one operation changes together, and another one reads. */
export type Part = {
  readonly noun: Exclude<Noun, 'installation'> | 'notice rules';
  readonly fields: readonly string[];
  readonly record: keyof typeof states;
};

type Kind = {
  /** Of a file. */
  readonly list: 'channels' | 'webhooks' | 'noticeTargets' | 'noticeRules';
  /** The fields that cannot change. */
  readonly fixed: readonly string[];
  /** What a new record has. */
  readonly normal: Json;
  /** The first one is the record itself. */
  readonly parts: readonly [Part, ...Part[]];
  /** The installation stays. */
  readonly removal?: 'archive' | 'delete';
};

type RecordWithSecrets = { readonly settings: object; readonly secretsSet: readonly string[] };

/** Of a channel or notice target. */
function recordState({ settings, secretsSet, ...fields }: RecordWithSecrets, names: Names): Json {
  const marks = Object.fromEntries(secretsSet.map((secret) => [secret, secretMark(null)]));
  const { webhookId = null } = fields as { readonly webhookId?: string | null };
  return {
    ...fields,
    webhook: names.get(webhookId),
    settings: { ...withoutNulls(settings), ...marks },
  };
}

/** What a file has of a webhook beside its plain fields. */
const others = ['renamedFrom', 'channel', 'settings', 'mapping', 'noticeRules', 'keys', 'sample'];
const plainFields = Object.keys(schema.$defs.Webhook.properties).filter(
  (field) => !others.includes(field),
);

/** With what an activation changes. */
const webhookState = (
  { channelId, activeVersion, status, ...webhook }: Answer<'getWebhook'>,
  names: Names,
): Json => ({
  ...pick(webhook, plainFields),
  channel: names.get(channelId) ?? channelId,
  activeVersion,
  isPaused: status === 'paused',
});

function settingsState(shown: Answer<'getWebhookSettings'>): Json {
  const { updatedAt: _at, emptyPersonAllowed: _effective, signature, handshake, ...rest } = shown;
  const secrets = secretMark(Array.from({ length: signature?.secretsSet ?? 0 }));
  const verifyToken = handshake?.verifyTokenSet ? secretMark(null) : null;
  const settings = withoutNulls({
    ...rest,
    signature: signature && { ...signature, secretsSet: null, secrets },
    handshake: handshake && { ...handshake, verifyTokenSet: null, verifyToken },
  });
  return { settings };
}

const rulesState = ({ rules }: { readonly rules: object }): Json => ({ noticeRules: rules });

/** By the names that operations have for it. */
const states = {
  Channel: recordState,
  NoticesTarget: recordState,
  Webhook: webhookState,
  WebhookSettings: settingsState,
  WebhookNoticeRules: rulesState,
  NoticesRules: rulesState,
} as const;

/** The answer of the operation that reads it, with the fields of a file, references by name, and marks in the place of secrets. */
export const stateOf = ({ record }: Part, answer: object, names: Names): Json =>
  states[record](answer as never, names);

const channelFields = ['name', 'enabled', 'settings'];
const noticeFields = ['kinds', 'language', 'quietHours', 'reminderHours'];
const rules = { noun: 'notice rules', fields: ['noticeRules'] } as const;

export const kinds: Readonly<Record<Noun, Kind>> = {
  channel: {
    list: 'channels',
    fixed: ['kind'],
    normal: { enabled: true },
    parts: [{ noun: 'channel', fields: channelFields, record: 'Channel' }],
    removal: 'delete',
  },
  webhook: {
    list: 'webhooks',
    fixed: [],
    normal: { settings: { producerProfile: 'generic' }, noticeRules: {} },
    parts: [
      { noun: 'webhook', fields: [...plainFields, 'channel'], record: 'Webhook' },
      { noun: 'webhook', fields: ['settings'], record: 'WebhookSettings' },
      { ...rules, record: 'WebhookNoticeRules' },
    ],
    removal: 'archive',
  },
  'notice target': {
    list: 'noticeTargets',
    fixed: ['kind', 'webhook'],
    normal: { enabled: true },
    parts: [
      {
        noun: 'notice target',
        fields: [...channelFields, ...noticeFields],
        record: 'NoticesTarget',
      },
    ],
    removal: 'delete',
  },
  installation: {
    list: 'noticeRules',
    fixed: [],
    normal: {},
    parts: [{ ...rules, record: 'NoticesRules' }],
  },
};
