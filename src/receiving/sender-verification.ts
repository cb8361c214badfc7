/**
 * Verifies the signature of a request, and answers handshakes.
 *
 * Promises: a secret that cannot be decrypted lets no request pass. A random secret takes its place, and what it leaves
 * undecided is `unavailable`, so that the sender sends again once the encryption key is back.
 */
import { AppError } from '../base/errors.ts';
import { newSecret } from '../base/ids.ts';
import { SecretUnreadable, type Vault } from '../base/secrets/vault.ts';
import { mapSecrets, signatureSecretLocation } from '../domain/access/secret-locations.ts';
import type { Webhook, WebhookSettings } from '../domain/webhooks/webhook.ts';
import type { Answer } from '../producers/handshake/handshake.ts';
import type { Decoded, Producer } from '../producers/producer.ts';
import { answerHandshake, verifyRequest } from '../producers/sender-checks.ts';
import type { ParsedRequest } from './sender-request.ts';

/** A request with a valid key, its webhook and the webhook's producer. */
export type AuthenticatedRequest = {
  readonly webhook: Webhook;
  readonly producer: Producer;
  readonly request: ParsedRequest;
};

type DecryptedSettings = {
  readonly settings: WebhookSettings;
  /** The errors of secrets that could not be decrypted, by secret location. */
  readonly failures: ReadonlyMap<string, SecretUnreadable>;
};

/** Returns the settings of a webhook with its secrets decrypted. */
type ReadSettings = (webhook: Webhook) => DecryptedSettings;

/** Decrypted secrets are kept exactly as long as the webhook object, which the webhook cache holds. */
export function createSettingsReader(vault: Pick<Vault, 'open'>): ReadSettings {
  const decrypted = new WeakMap<Webhook, DecryptedSettings>();
  return (webhook) => {
    const known = decrypted.get(webhook);
    if (known) return known;
    const result = decryptSettings(vault, webhook);
    decrypted.set(webhook, result);
    return result;
  };
}

function decryptSettings(vault: Pick<Vault, 'open'>, webhook: Webhook): DecryptedSettings {
  const failures = new Map<string, SecretUnreadable>();
  const settings = mapSecrets(webhook.settings, webhook._id, (stored, location) => {
    try {
      return vault.open(stored, location);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      failures.set(location, error);
      // Leaving the secret out would switch verification off.
      return newSecret('');
    }
  });
  return { settings, failures };
}

const secretUnreadable = (cause: SecretUnreadable) =>
  new AppError('unavailable', { cause, retryAfterMs: 60_000, internal: cause.message });

/**
 * Verifies the signature over the bytes as they were sent. Throws `invalid_signature`, or `unavailable` when a signature
 * secret cannot be decrypted and no other secret matches.
 */
export function requireValidSignature(
  readSettings: ReadSettings,
  { producer, webhook, request }: AuthenticatedRequest,
  {
    rawBody,
    now,
    decodeBody,
  }: {
    readonly rawBody: Buffer;
    readonly now: Date;
    readonly decodeBody: (body: Buffer) => Decoded;
  },
): void {
  const { method, headers } = request;
  const { settings, failures } = readSettings(webhook);
  const signed = {
    method,
    headers,
    rawBody,
    get decodedBody() {
      const decoded = decodeBody(rawBody);
      return decoded.ok ? decoded.value : null;
    },
    get url() {
      return request.url;
    },
    get query() {
      return Object.fromEntries(request.query);
    },
  };
  const result = verifyRequest(producer, settings, { request: signed, now });
  if (result.ok) return;
  const failure = failures.get(signatureSecretLocation(webhook._id));
  if (failure) throw secretUnreadable(failure);
  throw new AppError('invalid_signature', { internal: result.reason });
}

/**
 * Returns the answer to a handshake, or null for any other request. `body` is the decoded body, absent for a request
 * without one. Throws `unavailable` when the handshake needs a secret that cannot be decrypted.
 */
export function answerSenderHandshake(
  readSettings: ReadSettings,
  { producer, webhook, request }: AuthenticatedRequest,
  body?: unknown,
): Answer | null {
  const { method, headers } = request;
  const { settings, failures } = readSettings(webhook);
  const query = Object.fromEntries(request.query);
  const answer = answerHandshake(producer, settings, { method, headers, query, body });
  const [failure] = failures.values();
  if (failure && (answer || method === 'GET')) throw secretUnreadable(failure);
  return answer;
}
