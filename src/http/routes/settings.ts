/** /v1/admin/webhooks/:id/settings */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { producerNames } from '../../admin/payload.ts';
import { presentSettings } from '../../admin/settings.ts';
import {
  answerSettings,
  challengeSettings,
  handshakeSettings,
  signatureScheme,
  signatureSettings,
} from '../../domain/reception.ts';
import { retrySettings } from '../../domain/retries.ts';
import { route, type Route } from '../route.ts';
import { count, exactly, idParams, orNull, text } from '../shapes.ts';

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
});

const given = Type.Object(
  {
    producerProfile: Type.Optional(
      Type.Unsafe<string>({ type: 'string', enum: [...producerNames] }),
    ),
    signature: Type.Optional(
      orNull(Type.Partial(signatureSettings, { additionalProperties: false })),
    ),
    handshake: Type.Optional(orNull(handshakeSettings)),
    answer: Type.Optional(orNull(answerSettings)),
    retries: Type.Optional(orNull(retrySettings)),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const settingsRoutes = ({ settings: admin }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    summary:
      'Read how a webhook meets its sender and how its events are tried again; secrets are not shown',
    params: idParams,
    answer: settings,
    handle: async ({ params }) => presentSettings(await admin.get(params.id)),
  }),
  route({
    method: 'PATCH',
    path,
    scope: 'operator',
    summary:
      'Change the profile, signature, handshake, answer or retries; a part that is null is taken away',
    params: idParams,
    exists: (params) => admin.get(params.id),
    body: given,
    answer: settings,
    handle: async ({ params, body, caller }) =>
      presentSettings(await admin.change(params.id, body, caller)),
  }),
];
