/**
 * The answers that producers want before they deliver: a challenge repeated as text, JSON or a header.
 *
 * Promises: pure; answers only what is recognisably a handshake, so that no event is ever taken for one. A wrong verify token
 * is 403 with nothing in it. Must never: repeat anything but the challenge, or more of it than a challenge has.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type {
  ChallengeSettings,
  HandshakeSettings,
  RequestLocation,
} from '../../domain/webhooks/verification-settings.ts';
import { challengePreset } from './presets.ts';

export type HandshakeRequest = {
  readonly method: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Decoded; absent for a request without a body. */
  readonly body?: unknown;
  readonly settings: HandshakeSettings;
  /** The secrets of the signature: some challenges are signed with them. */
  readonly secrets?: readonly string[];
};

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const maxChallengeLength = 2_048;
/** Members of a body that is a challenge and nothing else. */
const maxMembers = 3;
const headerText = /^[\x21-\x7e]{1,2048}$/;
// A challenge that is signed may not be text that a signature could stand for.
const signable = /^[\w+/=-]{1,256}$/;

export const emptyAnswer = (status: number): Answer => ({
  status,
  contentType: 'text/plain',
  body: '',
});

/** The answer to a challenge; null where the request is none. */
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
  if (token && verifyToken !== undefined && !isSame(textAt(request, token), verifyToken)) {
    return emptyAnswer(403);
  }
  return answerWith(value, challenge, request);
}

/** The challenge that a webhook's settings ask for, if they do. */
export function configuredChallenge({ challenge }: HandshakeSettings): ChallengeSettings | null {
  if (challenge === undefined) return null;
  return typeof challenge === 'string' ? challengePreset(challenge) : challenge;
}

function answerWith(
  value: string,
  { from, as, name, hmac }: ChallengeSettings,
  { secrets = [] }: HandshakeRequest,
): Answer | null {
  const key = name ?? lastName(from);
  if (as === 'header') {
    if (!headerText.test(value)) return null;
    return { ...emptyAnswer(200), headers: { [key]: value } };
  }
  if (as === 'text') return { status: 200, contentType: 'text/plain', body: value };
  const members = [[key, value]];
  if (hmac) {
    const [secret] = secrets;
    if (secret === undefined || !signable.test(value)) return null;
    const digest = createHmac('sha256', secret).update(value).digest(hmac.encoding);
    members.push([hmac.name, `${hmac.prefix ?? ''}${digest}`]);
  }
  const body = JSON.stringify(Object.fromEntries(members));
  return { status: 200, contentType: 'application/json', body };
}

const nameAt = (place: RequestLocation): string =>
  'query' in place ? place.query : 'header' in place ? place.header : place.field;

const lastName = (place: RequestLocation): string => nameAt(place).split('.').at(-1) ?? '';

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

function isSame(given: string | null, wanted: string): boolean {
  const [a, b] = [given ?? '', wanted].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
