/** Signs a request as the webhook's own settings expect it. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Answer } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { CommandFailure } from '../terminal/failure.ts';

type Settings = Answer<'getWebhookSettings'>;
type Place = { readonly header?: string; readonly field?: string };
type Scheme = {
  readonly kind: 'hmac' | 'hash' | 'token';
  readonly header?: string;
  readonly from?: Place;
  readonly algorithm?: string;
  readonly encoding?: 'hex' | 'base64';
  readonly prefix?: string;
  readonly field?: string;
  readonly timestamp?: Place;
  readonly id?: Place;
  readonly signed?: string;
  readonly secretEncoding?: 'text' | 'hex' | 'base64';
  readonly secretPrefix?: string;
};
type Signing = { readonly body: Buffer; readonly url: string; readonly secret: string };

/** The scheme of the settings, or that of the producer. */
async function schemeOf(inlet: Inlet, { signature, producerProfile }: Settings): Promise<Scheme> {
  if (!signature) throw new CommandFailure('The webhook does not verify signatures.', 'usage');
  if (typeof signature.scheme === 'object' && signature.scheme) return signature.scheme as Scheme;
  const { producers } = await inlet.call('getProducers', {});
  const named = producers.find(({ name, signature: own }) =>
    signature.scheme ? own?.preset === signature.scheme : name === producerProfile,
  );
  if (named?.signature) return named.signature.scheme as Scheme;
  throw new CommandFailure(
    `The scheme ${String(signature.scheme)} is not known here. Write it as an object.`,
    'usage',
  );
}

const keyOf = (secret: string, { secretPrefix = '', secretEncoding = 'text' }: Scheme): Buffer => {
  const bare = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  return Buffer.from(bare, secretEncoding === 'text' ? 'utf8' : secretEncoding);
};

/** The headers to add. Throws for schemes that are not of headers. */
export async function signatureHeaders(
  inlet: Inlet,
  settings: Settings,
  signing: Signing,
): Promise<Record<string, string>> {
  const scheme = await schemeOf(inlet, settings);
  const { kind, header, from, prefix = '', encoding = 'hex', algorithm = 'sha256' } = scheme;
  const { body, url, secret } = signing;
  if (kind === 'token' && from?.header) return { [from.header]: `${prefix}${secret}` };
  const template = scheme.signed ?? '{body}';
  if (!header || kind === 'token' || template.includes('{params}')) {
    throw new CommandFailure('This scheme cannot be signed here.', 'usage');
  }
  const [timestamp, id] = [String(Math.floor(Date.now() / 1_000)), randomUUID()];
  const values: Record<string, Buffer | string> = {
    body,
    url,
    secret,
    timestamp,
    id,
    method: 'POST',
  };
  const parts = template.split(/(\{\w+\})/).map((part) => {
    const value = /^\{\w+\}$/.test(part) ? values[part.slice(1, -1)] : part;
    return Buffer.from(value ?? part);
  });
  const digest =
    kind === 'hmac' ? createHmac(algorithm, keyOf(secret, scheme)) : createHash(algorithm);
  const signature = `${prefix}${digest.update(Buffer.concat(parts)).digest(encoding)}`;
  const stamp = scheme.timestamp?.field ? `${scheme.timestamp.field}=${timestamp},` : '';
  return {
    [header]: scheme.field ? `${stamp}${scheme.field}=${signature}` : signature,
    ...(scheme.timestamp?.header && { [scheme.timestamp.header]: timestamp }),
    ...(scheme.id?.header && { [scheme.id.header]: id }),
  };
}
