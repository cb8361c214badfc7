/** /v1/admin/webhooks/:id/settings */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { producerNames } from '../../admin/payload.ts';
import { presentSettings } from '../../admin/settings.ts';
import { dedupSettings } from '../../domain/dedup.ts';
import {
  answerSettings,
  challengeSettings,
  handshakeSettings,
  signatureScheme,
  signatureSettings,
} from '../../domain/reception.ts';
import { retentionSettings } from '../../domain/retention.ts';
import { retrySettings } from '../../domain/retries.ts';
import { allowlistSettings, rateLimitSettings } from '../../domain/source.ts';
import { ofWebhook } from '../reach.ts';
import { patchOf } from '../patch.ts';
import { resource, resourceRoute } from '../resource.ts';
import type { Route } from '../route.ts';
import { count, exactly, idParams, orNull, text, time } from '../shapes.ts';
import { compileCheck } from '../validation.ts';

const path = '/v1/admin/webhooks/:id/settings';

const settings = exactly({
  producerProfile: text,
  signature: orNull(
    exactly({
      scheme: orNull(Type.Union([text, signatureScheme])),
      toleranceSeconds: orNull(Type.Integer()),
      secretsSet: count,
    }),
  ),
  handshake: orNull(
    exactly({
      challenge: orNull(Type.Union([text, challengeSettings])),
      verifyTokenSet: Type.Boolean(),
    }),
  ),
  answer: orNull(answerSettings),
  retries: orNull(
    exactly({
      maxAttempts: orNull(Type.Integer()),
      delaysSeconds: orNull(Type.Array(Type.Integer())),
    }),
  ),
  rateLimit: orNull(
    exactly({
      perSecond: orNull(Type.Integer()),
      perMinute: orNull(Type.Integer()),
      burst: orNull(Type.Integer()),
    }),
  ),
  allowlist: orNull(Type.Array(text)),
  dedup: orNull(
    exactly({ windowDays: orNull(Type.Integer()), overlapHours: orNull(Type.Integer()) }),
  ),
  retention: orNull(
    exactly({
      bodiesDays: orNull(Type.Integer()),
      samplesDays: orNull(Type.Integer()),
      eventsDays: orNull(Type.Integer()),
    }),
  ),
  updatedAt: orNull(time),
});
const one = resource({ answer: settings, present: presentSettings });

/** All that may be set. */
const whole = exactly({
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
const check = compileCheck(whole);

export const settingsRoutes = ({ settings: admin }: Admin): Route[] => [
  resourceRoute(one, {
    method: 'GET',
    path,
    scope: 'viewer',
    reach: ofWebhook,
    summary:
      'Read how a webhook meets its sender and how its events are tried again; secrets are not shown',
    params: idParams,
    handle: ({ params }) => admin.get(params.id),
  }),
  resourceRoute(one, {
    method: 'PATCH',
    path,
    scope: 'operator',
    reach: ofWebhook,
    summary:
      'Change the profile, signature, handshake, answer, retries, rate limit, allowlist, dedup or retention; what is null is taken away',
    params: idParams,
    exists: (params) => admin.get(params.id),
    body: patchOf(whole),
    handle: ({ params, body, caller }) => admin.change(params.id, body, { actor: caller, check }),
  }),
];
