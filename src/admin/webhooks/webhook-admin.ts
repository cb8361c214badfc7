/** Composes the administration of webhooks. */
import type { Actor } from '../../domain/audit/audit.ts';
import type { AdminDeps } from '../dependencies.ts';
import { createActivation, createRollback } from './activation.ts';
import { createKeys } from './path-keys.ts';
import { createSchedules } from './scheduled-activations.ts';
import { createSettings } from './settings.ts';
import { createWebhooks } from './webhooks.ts';

type WebhookAdminDeps = AdminDeps & {
  /** Starts processing the events that were held while the webhook was paused. */
  readonly resumeHeld: (webhookId: string, actor: Actor) => Promise<void>;
};

export function createWebhookAdmin(deps: WebhookAdminDeps) {
  const { activate, carryOut } = createActivation(deps);
  return {
    webhooks: createWebhooks(deps),
    keys: createKeys(deps),
    settings: createSettings(deps),
    activate,
    rollback: createRollback(deps),
    schedules: createSchedules({ ...deps, carryOut }),
  };
}
