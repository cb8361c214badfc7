/** /v1/admin/webhooks/:id/settings */
import { Type } from 'typebox';
import { producerNames } from '../samples/payload.ts';
import {
  webhookSettings,
  type Webhook,
  type WebhookSettings,
} from '../../domain/webhooks/webhook.ts';
import {
  answerSettings,
  challengeSettings,
  signatureScheme,
} from '../../domain/webhooks/verification-settings.ts';
import { patchSchema } from '../../http/requests/patch-schema.ts';
import { recordRoutes, resource } from '../../http/routing/resource.ts';
import type { Route } from '../../http/routing/route.ts';
import {
  count,
  strictObject,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { compileValidator } from '../../http/requests/validation.ts';
import type { ApiContext } from '../context.ts';
import { changeSettings, makesEmptyPeople } from './settings.ts';
import { ofWebhook } from './webhook-view.ts';

const path = '/v1/admin/webhooks/:id/settings';

const integer = nullable(Type.Integer());
const signatureAnswer = strictObject({
  scheme: nullable(Type.Union([text, signatureScheme])),
  toleranceSeconds: integer,
  secretsSet: count,
});
const handshakeAnswer = strictObject({
  challenge: nullable(Type.Union([text, challengeSettings])),
  verifyTokenSet: Type.Boolean(),
});

/** The settings without secrets. `updatedAt` changes when a secret changes. */
const { field, view } = viewsOf<Omit<Webhook, 'settings'> & WebhookSettings>();
const shownSettings = view({
  producerProfile: text,
  signature: field(
    nullable(signatureAnswer),
    ({ signature: { scheme = null, toleranceSeconds = null, secrets } = {} }) =>
      secrets ? { scheme, toleranceSeconds, secretsSet: secrets.length } : null,
  ),
  handshake: field(nullable(handshakeAnswer), ({ handshake }) =>
    handshake
      ? {
          challenge: handshake.challenge ?? null,
          verifyTokenSet: handshake.verifyToken !== undefined,
        }
      : null,
  ),
  answer: nullable(answerSettings),
  answersGet: nullable(Type.Boolean()),
  retries: nullable(
    strictObject({ maxAttempts: integer, delaysSeconds: nullable(Type.Array(Type.Integer())) }),
  ),
  rateLimit: nullable(strictObject({ perSecond: integer, perMinute: integer, burst: integer })),
  allowlist: nullable(Type.Array(text)),
  dedup: nullable(strictObject({ windowDays: integer, overlapHours: integer })),
  retention: nullable(
    strictObject({ bodiesDays: integer, samplesDays: integer, eventsDays: integer }),
  ),
  allowEmptyPerson: nullable(Type.Boolean()),
  emptyPersonAllowed: field(
    Type.Boolean({
      description: 'The setting `allowEmptyPerson`, or the default of the producer.',
    }),
    makesEmptyPeople,
  ),
  updatedAt: field(nullable(time), ({ configuredAt }) => configuredAt ?? null),
});
export const settingsView = resource({
  answer: shownSettings.answer,
  present: ({ settings, ...webhook }: Webhook) =>
    shownSettings.present({ ...webhook, ...settings }),
});

/**
 * All settings that can be changed; configuration files have the same.
 * @public `npm run api` imports it from dist.
 */
export const webhookSettingsSchema = strictObject({
  producerProfile: Type.Optional(stringEnum(producerNames)),
  ...webhookSettings.properties,
});
export const checkWebhookSettings = compileValidator(webhookSettingsSchema);

export const settingsRoutes = (ctx: ApiContext): Route[] => {
  const one = recordRoutes(settingsView, { path, ...ofWebhook(ctx) });
  return [
    one.read({
      scope: 'viewer',
      operationId: 'getWebhookSettings',
      tag: 'Settings',
      summary: 'Read the settings of a webhook; secrets are not shown',
    }),
    one.change({
      scope: 'operator',
      operationId: 'updateWebhookSettings',
      tag: 'Settings',
      summary:
        'Change the profile, signature, handshake, response, GET, retries, rate limit, allowlist, dedup, retention or contacts without a name; null removes a setting',
      body: patchSchema(webhookSettingsSchema),
      handle: ({ params, body, caller }) =>
        changeSettings(ctx, { ...params, patch: body, check: checkWebhookSettings }, caller),
    }),
  ];
};
