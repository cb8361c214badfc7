/** Locations that secrets are sealed for, and the parts of webhook settings that hold secrets. */
import type { MergePatch } from '../../base/json/merge-patch.ts';
import type { WebhookSettings } from '../webhooks/webhook.ts';

export const secretOwners = ['channel', 'webhook', 'notice_target'] as const;
export type SecretOwner = (typeof secretOwners)[number];

/** Location of a channel's secret: owner and field. A sealed text opens only at its own location. */
export const channelSecretLocation = (channelId: string, field: string): string =>
  `channel:${channelId}:${field}`;
/** Location of the secret of a notice target. */
export const targetSecretLocation = (targetId: string, field: string): string =>
  `target:${targetId}:${field}`;
const webhookSecretLocation = (webhookId: string, field: string): string =>
  `webhook:${webhookId}:${field}`;

/** Location of the signature secrets of a webhook. */
export const signatureSecretLocation = (webhookId: string): string =>
  webhookSecretLocation(webhookId, 'signature.secrets');

type SecretParts = Pick<WebhookSettings, 'signature' | 'handshake'>;
type SecretSettings = MergePatch<SecretParts>;

/** Returns the settings, or a patch of them, with `change` applied to each secret. Absent parts stay absent. */
export function mapSecrets<Settings extends SecretSettings>(
  settings: Settings,
  webhookId: string,
  change: (secret: string, place: string) => string,
): Settings {
  const { signature, handshake } = settings;
  const { secrets } = signature ?? {};
  const { verifyToken } = handshake ?? {};
  const signedAt = signatureSecretLocation(webhookId);
  const verifiedAt = webhookSecretLocation(webhookId, 'handshake.verifyToken');
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

/** Returns every secret in the settings, sealed or plain. */
export function secretsOf({ signature, handshake }: SecretSettings): readonly string[] {
  const { secrets } = signature ?? {};
  const { verifyToken } = handshake ?? {};
  return [...(secrets ?? []), ...(typeof verifyToken === 'string' ? [verifyToken] : [])];
}
