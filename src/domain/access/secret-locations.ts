/** Where secrets are: the places that they are sealed for, and the parts of settings that hold them. */
import type { MergePatch } from '../../base/json/merge-patch.ts';
import type { WebhookSettings } from '../webhooks/webhook.ts';

/** Whose secret, and which: a sealed text opens in its own place alone. */
export const channelSecretLocation = (channelId: string, field: string): string =>
  `channel:${channelId}:${field}`;
const webhookPlace = (webhookId: string, field: string): string => `webhook:${webhookId}:${field}`;

/** Where all secrets are that a webhook's signatures are made with. */
export const signatureSecretLocation = (webhookId: string): string =>
  webhookPlace(webhookId, 'signature.secrets');

type SecretParts = Pick<WebhookSettings, 'signature' | 'handshake'>;
type Partly = MergePatch<SecretParts>;

/** The same settings, or a patch of them, with each secret changed; what is not given stays away. */
export function mapSecrets<Settings extends Partly>(
  settings: Settings,
  webhookId: string,
  change: (secret: string, place: string) => string,
): Settings {
  const { signature, handshake } = settings;
  const { secrets } = signature ?? {};
  const { verifyToken } = handshake ?? {};
  const signedAt = signatureSecretLocation(webhookId);
  const verifiedAt = webhookPlace(webhookId, 'handshake.verifyToken');
  return {
    ...settings,
    ...(secrets && {
      signature: { ...signature, secrets: secrets.map((secret) => change(secret, signedAt)) },
    }),
    ...(typeof verifyToken === 'string' && {
      handshake: { ...handshake, verifyToken: change(verifyToken, verifiedAt) },
    }),
  };
}

/** Every secret of a webhook, as it is stored or given. */
export function secretsOf({ signature, handshake }: Partly): readonly string[] {
  const { secrets } = signature ?? {};
  const { verifyToken } = handshake ?? {};
  return [...(secrets ?? []), ...(typeof verifyToken === 'string' ? [verifyToken] : [])];
}
