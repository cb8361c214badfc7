/**
 * Answers challenges, which producers send before they deliver: the challenge is returned as text, JSON or a header.
 *
 * Promises: pure. It answers only what is clearly a handshake, so no event is taken for one. A wrong verify token gets an
 * empty 403. Must never: return anything but the challenge, a longer text than a challenge has, or a header that a proxy or a
 * browser acts on.
 */
import { createHmac } from 'node:crypto';
import type {
  ChallengeSettings,
  HandshakeSettings,
  RequestLocation,
} from '../../domain/webhooks/verification-settings.ts';
import { isSameSecret } from '../same-secret.ts';
import { challengePreset } from './presets.ts';

export type HandshakeRequest = {
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded; absent for a request without a body. */
  readonly body?: unknown;
  readonly settings: HandshakeSettings;
  /** The signature secrets. Some challenges are signed with the first. */
  readonly secrets?: readonly string[];
};

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const maxChallengeLength = 2_048;
/** Members of a body that contains a challenge only. */
const maxMembers = 3;
const headerText = /^[\x21-\x7e]{1,2048}$/;
// A signed challenge must not be a text whose signature could be used for something else.
const signable = /^[\w+/=-]{1,256}$/;

export const emptyAnswer = (status: number): Answer => ({
  status,
  contentType: 'text/plain',
  body: '',
});

/** Returns the name under which a challenge is answered. */
export const answeredName = ({ name, from }: ChallengeSettings): string =>
  name ?? nameAt(from).split('.').at(-1) ?? '';

/**
 * Names of handshakes only. Every other header is refused, because the sender writes its value: framing, cookies, and also
 * names such as X-Accel-Redirect, which a reverse proxy acts on.
 */
const challengeHeader =
  /^(?:x|webhook)-(?=[\w-]*(?:hook|challenge|handshake|verif|validation|secret|token))[\w-]+$/i;

/** Whether a challenge may be answered in the header. */
export const isAnswerHeader = (name: string): boolean => challengeHeader.test(name);

/** Returns the answer to a challenge; null for any other request. */
export function answerChallenge(
  request: HandshakeRequest,
  challenge: ChallengeSettings,
): Answer | null {
  const { from, when, token } = challenge;
  if ('query' in from ? !/^(?:GET|POST)$/.test(request.method) : request.method !== 'POST') {
    return null;
  }
  const value = textAt(request, from);
  if (value === null || value.length > maxChallengeLength) return null;
  if (when && textAt(request, when.at) !== when.equals) return null;
  if (!when && 'field' in from && !isSmall(request.body)) return null;
  const { verifyToken } = request.settings;
  if (
    token &&
    verifyToken !== undefined &&
    !isSameSecret(textAt(request, token) ?? '', verifyToken)
  ) {
    return emptyAnswer(403);
  }
  return answerWith(value, challenge, request);
}

/** Returns the challenge that a webhook's settings name; null without one. */
export function configuredChallenge({ challenge }: HandshakeSettings): ChallengeSettings | null {
  if (challenge === undefined) return null;
  return typeof challenge === 'string' ? challengePreset(challenge) : challenge;
}

function answerWith(
  value: string,
  challenge: ChallengeSettings,
  { secrets = [] }: HandshakeRequest,
): Answer | null {
  const { as, hmac } = challenge;
  const key = answeredName(challenge);
  if (as === 'header') {
    if (!isAnswerHeader(key) || !headerText.test(value)) return null;
    return { ...emptyAnswer(200), headers: { [key]: value } };
  }
  if (as === 'text') return { status: 200, contentType: 'text/plain', body: value };
  const members = [[key, value]];
  if (hmac) {
    const [secret] = secrets;
    if (secret === undefined || secret === '' || !signable.test(value)) return null;
    const digest = createHmac('sha256', secret).update(value).digest(hmac.encoding);
    members.push([hmac.name, `${hmac.prefix ?? ''}${digest}`]);
  }
  const body = JSON.stringify(Object.fromEntries(members));
  return { status: 200, contentType: 'application/json', body };
}

const nameAt = (place: RequestLocation): string =>
  'query' in place ? place.query : 'header' in place ? place.header : place.field;

function textAt({ query, headers, body }: HandshakeRequest, place: RequestLocation): string | null {
  if ('query' in place) return scalar(own(query, place.query));
  if ('header' in place) return scalar(own(headers, place.header.toLowerCase()));
  return scalar(place.field.split('.').reduce(own, body));
}

const own = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name)
    ? (values as Record<string, unknown>)[name]
    : null;

function scalar(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

const isSmall = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Object.keys(body).length <= maxMembers;
