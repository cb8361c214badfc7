/** How a webhook is shown: its fields, the label of its status, and what its set-up waits for. */
import { Type } from 'typebox';
import type { Language, Localized } from '../../base/errors.ts';
import {
  webhookStatuses,
  type Schedule,
  type Webhook,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import { resource } from '../routing/resource.ts';
import { id, name, nullable, strictObject, text, time } from '../routing/schemas.ts';
import { createView, fieldOf } from '../routing/view.ts';

const label = (en: string, [pt, es]: readonly [string, string]): Localized => ({
  en,
  'pt-BR': pt,
  es,
});

const statusLabels: Readonly<Record<WebhookStatus, Localized>> = {
  draft: label('Draft', ['Rascunho', 'Borrador']),
  sampled: label('Sample received', ['Amostra recebida', 'Muestra recibida']),
  mapped: label('Mapped', ['Mapeada', 'Mapeada']),
  active: label('Active', ['Ativa', 'Activa']),
  paused: label('Paused', ['Pausada', 'Pausada']),
  archived: label('Archived', ['Arquivada', 'Archivada']),
};

const scheduleField = fieldOf<Schedule>();
export const schedule = createView({
  at: scheduleField(time, ({ at }) => at.toISOString()),
  version: scheduleField(Type.Integer(), ({ version }) => version),
  dedupOverlapHours: scheduleField(
    nullable(Type.Integer()),
    ({ dedupOverlapHours }) => dedupOverlapHours,
  ),
  by: scheduleField(text, ({ by }) => by.name),
});

const setupAnswer = strictObject({
  sample: Type.Boolean(),
  mapping: Type.Boolean(),
  active: Type.Boolean(),
  next: Type.Union(
    [
      Type.Unsafe<'sample' | 'mapping' | 'activation'>({
        type: 'string',
        enum: ['sample', 'mapping', 'activation'],
      }),
      Type.Null(),
    ],
    { examples: [null], description: 'The next setup step; null if setup is complete.' },
  ),
});

function setupOf({ sampledAt, lastVersion, activeVersion, status }: Webhook) {
  const steps = {
    sample: sampledAt !== null,
    mapping: lastVersion > 0,
    active: activeVersion !== null,
  };
  const nextStep = () => {
    if (status === 'archived') return null;
    if (!steps.sample) return 'sample';
    if (!steps.mapping) return 'mapping';
    return steps.active ? null : 'activation';
  };
  return { ...steps, next: nextStep() } as const;
}

const statusAnswer = Type.Unsafe<WebhookStatus>({
  type: 'string',
  enum: [...webhookStatuses],
  // The rest of the example is that of an active webhook.
  examples: ['active'],
});
const statusLabel = Type.String({
  description: 'The status as text in the caller’s language.',
});
const activeVersion = Type.Integer({ description: 'The mapping version applied to new events.' });
const previousVersion = Type.Integer({ description: 'The version that a rollback activates.' });

const field = fieldOf<{ readonly webhook: Webhook; readonly language: Language }>();
const view = createView({
  id: field(id, ({ webhook: { _id } }) => _id),
  name: field(name, (shown) => shown.webhook.name),
  channelId: field(id, (shown) => shown.webhook.channelId),
  producerProfile: field(text, (shown) => shown.webhook.producerProfile),
  status: field(statusAnswer, (shown) => shown.webhook.status),
  statusLabel: field(statusLabel, (shown) => statusLabels[shown.webhook.status][shown.language]),
  setup: field(setupAnswer, (shown) => setupOf(shown.webhook)),
  activeVersion: field(nullable(activeVersion), (shown) => shown.webhook.activeVersion),
  previousVersion: field(
    nullable(previousVersion),
    (shown) => shown.webhook.formerVersions?.at(-1) ?? null,
  ),
  schedule: field(nullable(schedule.answer), (shown) =>
    shown.webhook.schedule ? schedule.present(shown.webhook.schedule) : null,
  ),
  createdAt: field(time, (shown) => shown.webhook.createdAt.toISOString()),
  updatedAt: field(time, (shown) => shown.webhook.updatedAt.toISOString()),
});

export const webhook = resource({
  answer: view.answer,
  present: (record: Webhook, language) => view.present({ webhook: record, language }),
});
