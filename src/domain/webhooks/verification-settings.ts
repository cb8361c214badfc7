/**
 * Webhook settings for sender verification: signature, handshake, and the response. All are off by default. The
 * API validates with these schemas; the types are derived from them.
 */
import { Type, type Static } from 'typebox';
import { strictObject } from '../schemas.ts';

const headerName = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: "^[\\w!#$%&'*+.^`|~-]+$",
  description: 'The name of a header, in any case.',
});
const shortText = Type.String({ minLength: 1, maxLength: 128 });
const algorithm = Type.Enum(['sha1', 'sha256', 'sha512']);
const encoding = Type.Enum(['hex', 'base64']);

const digest = {
  header: headerName,
  algorithm,
  encoding,
  prefix: Type.Optional(
    Type.String({ maxLength: 64, description: 'Prefix of each signature, such as `sha256=`.' }),
  ),
  separator: Type.Optional(
    Type.Enum([',', ' ', ';'], {
      description: 'Separator of several signatures in the header, or of its `name=value` pairs.',
    }),
  ),
  field: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Name of the signature if the header has `name=value` pairs.',
    }),
  ),
  timestamp: Type.Optional(
    Type.Union([strictObject({ header: headerName }), strictObject({ field: shortText })], {
      description: 'Location of the timestamp: a header, or a pair in the signature header.',
    }),
  ),
  id: Type.Optional(strictObject({ header: headerName })),
  signed: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 256,
      // A signature must cover the body.
      pattern: '\\{(?:body|params)\\}',
      description:
        'The signed content: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}.',
    }),
  ),
};

const hmacScheme = strictObject({
  kind: Type.Literal('hmac'),
  ...digest,
  secretEncoding: Type.Optional(Type.Enum(['text', 'base64', 'hex'])),
  secretPrefix: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'Prefix to remove from the secret, such as `whsec_`.',
    }),
  ),
});

/** Hash over secret and body, without a key. */
const hashScheme = strictObject({ kind: Type.Literal('hash'), ...digest });

/** The request contains the secret itself. */
const tokenScheme = strictObject({
  kind: Type.Literal('token'),
  from: Type.Union([
    strictObject({ header: headerName }),
    strictObject({ query: shortText }),
    strictObject({ field: shortText }),
  ]),
  prefix: Type.Optional(Type.String({ maxLength: 64, description: 'Such as `Bearer `.' })),
});

/** HMAC of a time and a token, which are fields of the body as the signature is. It proves the sender, not the body. */
const fieldsScheme = strictObject({
  kind: Type.Literal('fields'),
  algorithm,
  encoding,
  signature: shortText,
  timestamp: shortText,
  token: shortText,
});

export const signatureScheme = Type.Union([hmacScheme, hashScheme, tokenScheme, fieldsScheme]);

export const signatureSettings = strictObject({
  scheme: Type.Optional(Type.Union([shortText, signatureScheme])),
  secrets: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
    minItems: 1,
    maxItems: 5,
    description:
      'A signature with any of them is valid, so that secrets can be rotated without downtime.',
  }),
  toleranceSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800, default: 300 })),
});

const requestLocation = Type.Union([
  strictObject({ query: shortText }),
  strictObject({ field: shortText }),
  strictObject({ header: headerName }),
]);

export const challengeSettings = strictObject({
  from: requestLocation,
  when: Type.Optional(
    strictObject({ at: requestLocation, equals: Type.String({ maxLength: 128 }) }),
  ),
  as: Type.Enum(['text', 'json', 'header']),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Name in the response; default: the name in the request.',
    }),
  ),
  token: Type.Optional(
    Type.Union([strictObject({ query: shortText }), strictObject({ header: headerName })], {
      description: 'Location of the verify token in the request.',
    }),
  ),
  hmac: Type.Optional(
    strictObject({
      name: shortText,
      encoding,
      prefix: Type.Optional(Type.String({ maxLength: 32 })),
    }),
  ),
});

export const handshakeSettings = strictObject({
  verifyToken: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  challenge: Type.Optional(Type.Union([shortText, challengeSettings])),
});

/** The media types that senders require. A browser runs no script in them; in XML the policy of the response prevents it. */
const answerMediaTypes = [
  'application/json',
  'text/plain',
  'text/xml',
  'application/xml',
  'application/x-www-form-urlencoded',
] as const;

const withCharset = answerMediaTypes.map((type) => `${type}; charset=utf-8` as const);

export const answerSettings = strictObject({
  status: Type.Integer({ minimum: 200, maximum: 299 }),
  contentType: Type.Enum([...answerMediaTypes, ...withCharset]),
  body: Type.String({ maxLength: 8_192 }),
});

export type HmacScheme = Static<typeof hmacScheme>;
export type HashScheme = Static<typeof hashScheme>;
export type TokenScheme = Static<typeof tokenScheme>;
export type FieldsScheme = Static<typeof fieldsScheme>;
export type SignatureScheme = Static<typeof signatureScheme>;
export type SignatureSettings = Static<typeof signatureSettings>;
export type RequestLocation = Static<typeof requestLocation>;
export type ChallengeSettings = Static<typeof challengeSettings>;
export type HandshakeSettings = Static<typeof handshakeSettings>;
export type AnswerSettings = Static<typeof answerSettings>;
