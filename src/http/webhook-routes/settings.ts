/** /v1/admin/webhooks/:id/settings */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { producerNames } from '../../admin/payloads/payload.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { dedupSettings } from '../../domain/webhooks/dedup.ts';
import {
  answerSettings,
  challengeSettings,
  handshakeSettings,
  signatureScheme,
  signatureSettings,
} from '../../domain/webhooks/verification-settings.ts';
import { retentionSettings } from '../../domain/webhooks/retention.ts';
import { retrySettings } from '../../domain/webhooks/retries.ts';
import { allowlistSettings, rateLimitSettings } from '../../domain/webhooks/source-policy.ts';
import { webhookOfPath } from '../auth/authorization.ts';
import { patchSchema } from '../requests/patch-schema.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import type { Route } from '../routing/route.ts';
import { count, strictObject, idParams, nullable, text, time } from '../routing/schemas.ts';
import { isoDate } from '../routing/view.ts';
import { compileValidator } from '../requests/validation.ts';

const path = '/v1/admin/webhooks/:id/settings';

const settingsAnswer = strictObject({
  producerProfile: text,
  signature: nullable(
    strictObject({
      scheme: nullable(Type.Union([text, signatureScheme])),
      toleranceSeconds: nullable(Type.Integer()),
      secretsSet: count,
    }),
  ),
  handshake: nullable(
    strictObject({
      challenge: nullable(Type.Union([text, challengeSettings])),
      verifyTokenSet: Type.Boolean(),
    }),
  ),
  answer: nullable(answerSettings),
  retries: nullable(
    strictObject({
      maxAttempts: nullable(Type.Integer()),
      delaysSeconds: nullable(Type.Array(Type.Integer())),
    }),
  ),
  rateLimit: nullable(
    strictObject({
      perSecond: nullable(Type.Integer()),
      perMinute: nullable(Type.Integer()),
      burst: nullable(Type.Integer()),
    }),
  ),
  allowlist: nullable(Type.Array(text)),
  dedup: nullable(
    strictObject({ windowDays: nullable(Type.Integer()), overlapHours: nullable(Type.Integer()) }),
  ),
  retention: nullable(
    strictObject({
      bodiesDays: nullable(Type.Integer()),
      samplesDays: nullable(Type.Integer()),
      eventsDays: nullable(Type.Integer()),
    }),
  ),
  updatedAt: nullable(time),
});
/** Presents the settings without secrets. `updatedAt` changes when a secret changes. */
function presentSettings({
  producerProfile,
  settings,
  configuredAt,
}: Webhook): Static<typeof settingsAnswer> {
  const { signature, handshake, answer, retries, rateLimit, allowlist, dedup, retention } =
    settings;
  return {
    producerProfile,
    signature: signature
      ? {
          scheme: signature.scheme ?? null,
          toleranceSeconds: signature.toleranceSeconds ?? null,
          secretsSet: signature.secrets.length,
        }
      : null,
    handshake: handshake
      ? {
          challenge: handshake.challenge ?? null,
          verifyTokenSet: handshake.verifyToken !== undefined,
        }
      : null,
    answer: answer ?? null,
    retries: retries
      ? {
          maxAttempts: retries.maxAttempts ?? null,
          delaysSeconds: retries.delaysSeconds ?? null,
        }
      : null,
    rateLimit: rateLimit ? { perSecond: null, perMinute: null, burst: null, ...rateLimit } : null,
    allowlist: allowlist ?? null,
    dedup: dedup
      ? { windowDays: dedup.windowDays ?? null, overlapHours: dedup.overlapHours ?? null }
      : null,
    retention: retention
      ? { bodiesDays: null, samplesDays: null, eventsDays: null, ...retention }
      : null,
    updatedAt: isoDate(configuredAt),
  };
}

const settingsResource = resource({ answer: settingsAnswer, present: presentSettings });

/** All settings that can be changed. */
const whole = strictObject({
  producerProfile: Type.Optional(Type.Unsafe<string>({ type: 'string', enum: [...producerNames] })),
  signature: Type.Optional(signatureSettings),
  handshake: Type.Optional(handshakeSettings),
  answer: Type.Optional(answerSettings),
  retries: Type.Optional(retrySettings),
  rateLimit: Type.Optional(rateLimitSettings),
  allowlist: Type.Optional(allowlistSettings),
  dedup: Type.Optional(dedupSettings),
  retention: Type.Optional(retentionSettings),
});
const check = compileValidator(whole);

export const settingsRoutes = ({ settings: admin }: Admin): Route[] => [
  resourceRoute(settingsResource, {
    method: 'GET',
    path,
    scope: 'viewer',
    restriction: webhookOfPath,
    summary: 'Read the settings of a webhook; secrets are not shown',
    params: idParams,
    handle: ({ params }) => admin.get(params.id),
  }),
  resourceRoute(settingsResource, {
    method: 'PATCH',
    path,
    scope: 'operator',
    restriction: webhookOfPath,
    summary:
      'Change the profile, signature, handshake, response, retries, rate limit, allowlist, dedup or retention; null removes a setting',
    params: idParams,
    find: (params) => admin.get(params.id),
    body: patchSchema(whole),
    handle: ({ params, body, caller }) => admin.change(params.id, body, { actor: caller, check }),
  }),
];
