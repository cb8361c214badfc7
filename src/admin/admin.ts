/**
 * What people and their tools may do to Inlet, as plain functions: one part for each resource.
 *
 * Promises: every change names who made it in the audit log; what a sender must notice is forgotten by the receiver
 * before the change is answered.
 * Must never: know of HTTP.
 */
import { mappingSchemas } from '../mapping/schema.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { createActivate, type ActivationDeps } from './activation.ts';
import { createChannels, type ChannelDeps } from './channels.ts';
import { catalogue } from './catalogue.ts';
import { createDeliveries, type DeliveryAdminDeps } from './deliveries.ts';
import { createDrift, type DriftDeps } from './drift.ts';
import { createEvents, type EventDeps } from './events.ts';
import { createDeadLetters, type DeadLetterDeps } from './dead-letters.ts';
import { createMappings, type MappingDeps } from './mappings.ts';
import { createRuns, type RunDeps } from './runs.ts';
import { createSamples } from './samples.ts';
import { createSettings } from './settings.ts';
import { createSuggest } from './suggest.ts';
import { createTokens, type TokenDeps } from './tokens.ts';
import { createWebhooks, type WebhookDeps } from './webhooks.ts';

export type AdminDeps = TokenDeps &
  Omit<WebhookDeps, 'resumeHeld'> &
  RunDeps &
  DeadLetterDeps &
  MappingDeps &
  ActivationDeps &
  EventDeps &
  ChannelDeps &
  DeliveryAdminDeps &
  DriftDeps;
export type Admin = ReturnType<typeof createAdmin>;

export function createAdmin(deps: AdminDeps) {
  const runs = createRuns(deps);
  return {
    tokens: createTokens(deps),
    channels: createChannels(deps),
    webhooks: createWebhooks({ ...deps, resumeHeld: (id, by) => runs.resume(id, by) }),
    activate: createActivate(deps),
    samples: createSamples(deps),
    mappings: createMappings(deps),
    events: createEvents(deps),
    deliveries: createDeliveries(deps),
    deadLetters: createDeadLetters(deps),
    runs,
    suggest: createSuggest(deps),
    settings: createSettings(deps),
    drift: createDrift(deps),
    catalogue,
    /** How the bodies of these APIs are read: as any sender's JSON. */
    reader: jsonBody,
    mappingSchemas,
  };
}
