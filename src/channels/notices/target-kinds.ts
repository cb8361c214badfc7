/**
 * The kinds of notice targets. Each has the settings and the sending of a channel kind, so that signatures, TLS, time limits
 * and the SSRF guard are the same.
 *
 * Must never: put a part of the URL, the credentials or the notice in a reason.
 */
import type { FieldProblem } from '../../base/errors.ts';
import type { Language } from '../../base/texts/texts.ts';
import type { Vault } from '../../base/secrets/vault.ts';
import { targetSecretLocation } from '../../domain/access/secret-locations.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import type { TargetKind, TargetRecord } from '../../domain/notices/target.ts';
import type { AttemptTerms, Channel, ChannelSettings, OutboundOptions } from '../channel.ts';
import { deliverySettings, eventMessagesSetting } from '../delivery-settings.ts';
import { createJsonPost, http } from '../http/http.ts';
import { emailPattern, smtp } from '../smtp/smtp.ts';
import { linesOf, slackTextOf, type OutgoingNotice } from './compose-notice.ts';
import { openSecrets, writeOnlyNames } from '../secrets.ts';

type Properties = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type SettingsSchema = Readonly<Record<string, unknown>> & { readonly properties: Properties };

/** Makes one attempt, which ends within its time. Never rejects. */
export type SendNotice = (
  notice: OutgoingNotice,
  settings: ChannelSettings,
  terms: Pick<AttemptTerms, 'timeoutMs'> & { readonly language: Language },
) => Promise<DeliveryOutcome>;

type Kind = {
  readonly kind: TargetKind;
  readonly settingsSchema: SettingsSchema;
  readonly createSend: (options: OutboundOptions) => SendNotice;
  readonly originOf: (settings: ChannelSettings) => string | null;
  readonly validateSettings: (
    settings: ChannelSettings,
    options: OutboundOptions,
  ) => readonly FieldProblem[];
};

const propertiesOf = ({ settingsSchema }: Channel) => settingsSchema.properties as Properties;

/** A target is one destination of few messages, which are retried and repeated in one way. */
const ofChannelsOnly = new Set([
  'region',
  'subject',
  ...Object.keys(eventMessagesSetting),
  ...Object.keys(deliverySettings('none')),
]);

/** Returns the settings of a channel kind that a target has too. */
const settingsOf = (kind: Channel): Properties =>
  Object.fromEntries(
    Object.entries(propertiesOf(kind)).filter(([name]) => !ofChannelsOnly.has(name)),
  );

function outboundOf({ kind, outbound }: Channel) {
  if (!outbound) throw new Error(`${kind} sends nothing out of Inlet.`);
  return outbound;
}
const ofHttp = outboundOf(http);
const ofSmtp = outboundOf(smtp);

const webhook: Kind = {
  kind: 'webhook',
  settingsSchema: {
    type: 'object',
    properties: settingsOf(http),
    required: ['url'],
    additionalProperties: false,
  },
  originOf: (settings) => ofHttp.originOf(settings),
  validateSettings: (settings, options) => ofHttp.validateSettings(settings, options),
  createSend(options) {
    const postJson = createJsonPost(options);
    return (notice, settings, { timeoutMs }) =>
      postJson({ id: notice.id, content: notice }, settings, { timeoutMs });
  },
};

const slack: Kind = {
  kind: 'slack',
  settingsSchema: {
    type: 'object',
    properties: {
      // The URL is the credential of such a webhook.
      url: {
        ...propertiesOf(http).url,
        writeOnly: true,
        description: 'The incoming webhook of Slack, Mattermost, Rocket.Chat or Google Chat.',
      },
    },
    required: ['url'],
    additionalProperties: false,
  },
  originOf: () => null,
  validateSettings: (settings, options) => ofHttp.validateSettings(settings, options),
  createSend(options) {
    const postJson = createJsonPost(options);
    return (notice, { url }, { language, timeoutMs }) => {
      const content = { text: slackTextOf(notice, language) };
      return postJson({ id: notice.id, content }, { url }, { timeoutMs });
    };
  },
};

const email: Kind = {
  kind: 'email',
  settingsSchema: {
    type: 'object',
    properties: {
      to: {
        type: 'string',
        pattern: emailPattern,
        maxLength: 320,
        description: 'The address that receives the mails.',
      },
      ...settingsOf(smtp),
    },
    required: ['to', 'host', 'port', 'security', 'from'],
    additionalProperties: false,
  },
  originOf: (settings) => ofSmtp.originOf(settings),
  validateSettings: (settings, options) => ofSmtp.validateSettings(settings, options),
  createSend(options) {
    const deliver = ofSmtp.createDeliver(options);
    return (notice, { to, ...settings }, { language, timeoutMs }) => {
      const lines = linesOf(notice, language).map(({ text, url }) =>
        url === null ? text : `${text}\n${url}`,
      );
      const mail = mailOf(notice, { to: String(to), text: lines.join('\n\n') });
      return deliver(mail, { ...settings, subject: subjectOf(notice) }, { timeoutMs });
    };
  },
};

const subjectOf = ({ title }: OutgoingNotice): string =>
  Array.from(title.replaceAll(/[\p{Cc}<>"]/gu, ' '))
    .slice(0, 200)
    .join('');

/** The mail in the form that the channel kind sends. */
const mailOf = (
  { id, test, date }: OutgoingNotice,
  { to, text }: { readonly to: string; readonly text: string },
) =>
  ({
    type: 'message',
    id,
    test,
    date,
    channelId: id,
    webhookId: null,
    eventId: null,
    chatId: null,
    contact: {
      id,
      externalId: null,
      name: null,
      phone: null,
      email: to,
      document: null,
      fields: {},
    },
    from: 'system',
    content: { type: 'text', text },
  }) as const;

export const noticeTargetKinds: Readonly<Record<TargetKind, Kind>> = { webhook, slack, email };

/** Returns the names of a kind's secret settings. */
export const targetSecretFields = (kind: TargetKind): readonly string[] =>
  writeOnlyNames(noticeTargetKinds[kind].settingsSchema);

/** Returns a target's settings with the secret ones decrypted. Throws SecretUnreadable. */
export const openTargetSettings = (
  target: Pick<TargetRecord, '_id' | 'settings' | 'secrets'>,
  vault: Pick<Vault, 'open'>,
): ChannelSettings =>
  openSecrets(target, vault, (field) => targetSecretLocation(target._id, field));

/** Returns the sending function of each kind. */
export const createNoticeSenders = (
  options: OutboundOptions,
): Readonly<Record<TargetKind, SendNotice>> => ({
  webhook: webhook.createSend(options),
  slack: slack.createSend(options),
  email: email.createSend(options),
});
