// The JSON Schema of the files that `inlet apply` reads, made of the schemas that validate the API's requests.

/** @typedef {Record<string, any>} Schema */

const variable = '\\$\\{env:[A-Za-z_][A-Za-z0-9_]*\\}';

/** The value of a secret is never in a file. `Bearer ${env:TOKEN}` is allowed. */
const secret = {
  title: 'Secret',
  type: 'string',
  pattern: `^(?:[A-Za-z]+ )?${variable}$`,
  writeOnly: true,
};
const fromEnvironment = { type: 'string', pattern: variable };

/** @param {Schema} schema */
function withoutSecrets(schema) {
  if (!schema.writeOnly) return schema.pattern ? { anyOf: [schema, fromEnvironment] } : schema;
  const { description } = schema;
  if (schema.type === 'string') return { ...secret, description };
  return { ...schema, additionalProperties: secret };
}

/** @param {Schema} settings of a kind of channel */
const channelSettings = (settings) => ({
  ...settings,
  properties: Object.fromEntries(
    Object.entries(settings.properties).map(([name, one]) => [name, withoutSecrets(one)]),
  ),
});

/** @param {Schema} settings */
function webhookSettings(settings) {
  const copy = structuredClone(JSON.parse(JSON.stringify(settings)));
  const { signature, handshake } = copy.properties;
  Object.assign(signature.properties.secrets, { items: secret, writeOnly: true });
  handshake.properties.verifyToken = secret;
  return copy;
}

const name = { type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' };
const renamedFrom = {
  ...name,
  description: 'The former name: the record is renamed, not created.',
};

/** @param {Schema[]} kinds */
const byKind = (kinds) =>
  kinds.map(({ kind, settingsSchema }) => ({
    if: { properties: { kind: { const: kind } } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
    then: {
      properties: { settings: channelSettings(settingsSchema) },
    },
  }));

/** @param {Schema[]} kinds @param {Schema} [more] */
const record = (kinds, more) => ({
  type: 'object',
  properties: {
    name,
    renamedFrom,
    kind: { enum: kinds.map(({ kind }) => kind) },
    enabled: { type: 'boolean', default: true },
    ...more,
    settings: { type: 'object' },
  },
  required: ['name', 'kind'],
  additionalProperties: false,
  allOf: byKind(kinds),
});

const webhookName = { ...name, description: 'Only the notices of this webhook. It cannot change.' };

/** @param {Schema} fields the plain fields */
const webhook = ({ name: own, ...fields }) => ({
  type: 'object',
  properties: {
    name: own,
    renamedFrom,
    ...fields,
    channel: { ...name, description: 'The name of its channel.' },
    settings: { $ref: '#/$defs/WebhookSettings' },
    mapping: { $ref: '#/$defs/MappingDocument' },
    noticeRules: { $ref: '#/$defs/NoticeRules' },
    keys: {
      type: 'array',
      maxItems: 100,
      description:
        'Path keys of another installation, which `export --keys` writes. They are added; other keys stay.',
      items: {
        type: 'object',
        properties: {
          hash: {
            type: 'string',
            pattern: '^[0-9a-f]{64}$',
            description: 'The SHA-256 of the key.',
          },
          lastFour: { type: 'string', pattern: '^[A-Za-z0-9_-]{4}$' },
          expiresAt: { type: 'string', format: 'date-time' },
        },
        required: ['hash', 'lastFour'],
        additionalProperties: false,
      },
    },
    sample: {
      type: 'string',
      minLength: 1,
      description:
        'A file beside this one with a payload, uploaded while the webhook has no sample.',
    },
  },
  required: ['name', 'channel'],
  additionalProperties: false,
});

const list = (/** @type {string} */ items) => ({
  type: 'array',
  items: { $ref: `#/$defs/${items}` },
});

/** @param {{ kinds: Schema[], targetKinds: Schema[], targetFields: Schema, webhookFields: Schema, rules: Schema, settings: Schema, mapping: Schema }} parts */
export const configurationSchema = (parts) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of Inlet',
  type: 'object',
  properties: {
    channels: list('Channel'),
    webhooks: list('Webhook'),
    noticeTargets: list('NoticeTarget'),
    noticeRules: {
      $ref: '#/$defs/NoticeRules',
      description: 'The rules of the installation, in one file.',
    },
  },
  additionalProperties: false,
  $defs: {
    Channel: record(parts.kinds),
    NoticeTarget: record(parts.targetKinds, { webhook: webhookName, ...parts.targetFields }),
    NoticeRules: parts.rules,
    Webhook: webhook(parts.webhookFields),
    WebhookSettings: webhookSettings(parts.settings),
    ...parts.mapping,
  },
});
