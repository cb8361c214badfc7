/** What passes between a sender and a receiver beside the delivery: proof of who sends, and answers to handshakes. */
import { AppError } from '../base/errors.ts';
import { newSecret } from '../base/ids.ts';
import { SecretUnreadable, type Vault } from '../base/secrets/vault.ts';
import { mapSecrets, signatureSecretLocation } from '../domain/access/secret-locations.ts';
import type { Webhook, WebhookSettings } from '../domain/webhooks/webhook.ts';
import type { Answer } from '../producers/handshake/handshake.ts';
import type { Producer } from '../producers/producer.ts';
import { answerHandshake, verifyRequest } from '../producers/sender-checks.ts';
import type { SenderRequest } from './inbound-request.ts';

export type Visit = {
  readonly producer: Producer;
  readonly webhook: Webhook;
  readonly request: SenderRequest;
};

type Opened = {
  readonly settings: WebhookSettings;
  /** What did not open, by its place. */
  readonly failures: ReadonlyMap<string, SecretUnreadable>;
};

/** Nobody can say who sends: the sender keeps what it has until the keys are mended. */
const unreadable = (cause: SecretUnreadable) =>
  new AppError('unavailable', { cause, retryAfterMs: 60_000, internal: cause.message });

export function createCourtesy({ vault }: { readonly vault: Pick<Vault, 'open'> }) {
  // Opened secrets live as long as what the directory remembers, and nowhere else.
  const opened = new WeakMap<Webhook, Opened>();

  /** In the place of a secret that does not open stands one that nobody knows: leaving it out would let anybody in. */
  function openedOf(webhook: Webhook): Opened {
    const known = opened.get(webhook);
    if (known) return known;
    const failures = new Map<string, SecretUnreadable>();
    const settings = mapSecrets(webhook.settings, webhook._id, (stored, place) => {
      try {
        return vault.open(stored, place);
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error;
        failures.set(place, error);
        return newSecret('');
      }
    });
    const result = { settings, failures };
    opened.set(webhook, result);
    return result;
  }

  /**
   * The answer to a handshake, which never becomes an event or a sample; null for anything else. Throws `unavailable` where a
   * handshake cannot be judged.
   */
  function greetingFor({ producer, webhook, request }: Visit, body?: unknown): Answer | null {
    const { method, headers } = request;
    const { settings, failures } = openedOf(webhook);
    const query = Object.fromEntries(request.query);
    const answer = answerHandshake(producer, settings, { method, headers, query, body });
    const [failure] = failures.values();
    if (failure && (answer || method === 'GET')) throw unreadable(failure);
    return answer;
  }

  /**
   * Over the bytes as they came, before anything of them is read. Throws `invalid_signature`, or `unavailable` where one of
   * the signature's secrets does not open and none of the others fits.
   */
  function requireSigned(
    { producer, webhook, request }: Visit,
    { rawBody, now }: { rawBody: Buffer; now: Date },
  ): void {
    const { method, url, headers } = request;
    const { settings, failures } = openedOf(webhook);
    const query = Object.fromEntries(request.query);
    const signed = { method, url, headers, query, rawBody };
    const verdict = verifyRequest(producer, settings, { request: signed, now });
    if (verdict.ok) return;
    const failure = failures.get(signatureSecretLocation(webhook._id));
    if (failure) throw unreadable(failure);
    throw new AppError('invalid_signature', { internal: verdict.reason });
  }

  return { greetingFor, requireSigned };
}
