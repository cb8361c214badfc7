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
  Object.assign(signature.properties.secrets, { items: secret });
  handshake.properties.verifyToken = secret;
  return copy;
}

const name = { type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' };
const renamedFrom = {
  ...name,
  description: 'The former name: the record is renamed, not created.',
};

/** @param {Schema[]} kinds */
const channel = (kinds) => ({
  type: 'object',
  properties: {
    name,
    renamedFrom,
    kind: { enum: kinds.map(({ kind }) => kind) },
    enabled: { type: 'boolean', default: true },
    settings: { type: 'object' },
  },
  required: ['name', 'kind'],
  additionalProperties: false,
  allOf: kinds.map(({ kind, settingsSchema }) => ({
    if: { properties: { kind: { const: kind } } },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's word
    then: {
      properties: { settings: channelSettings(settingsSchema) },
      ...(settingsSchema.required && { required: ['settings'] }),
    },
  })),
});

const webhook = {
  type: 'object',
  properties: {
    name,
    renamedFrom,
    channel: { ...name, description: 'The name of its channel.' },
    settings: { $ref: '#/$defs/WebhookSettings' },
    mapping: { $ref: '#/$defs/MappingDocument' },
    sample: {
      type: 'string',
      minLength: 1,
      description:
        'A file beside this one with a payload, uploaded while the webhook has no sample.',
    },
  },
  required: ['name', 'channel'],
  additionalProperties: false,
};

/** @param {{ kinds: Schema[], settings: Schema, mapping: Schema }} parts */
export const configurationSchema = ({ kinds, settings, mapping }) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of Inlet',
  type: 'object',
  properties: {
    channels: { type: 'array', items: { $ref: '#/$defs/Channel' } },
    webhooks: { type: 'array', items: { $ref: '#/$defs/Webhook' } },
  },
  additionalProperties: false,
  $defs: {
    Channel: channel(kinds),
    Webhook: webhook,
    WebhookSettings: webhookSettings(settings),
    ...mapping,
  },
});
