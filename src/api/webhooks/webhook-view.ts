/** How a webhook is shown: its fields, the label of its status, and what its set-up waits for. */
import { Type, type Static } from 'typebox';
import {
  webhookFields,
  webhookFieldsOf,
  webhookStatuses,
  type Schedule,
  type Webhook,
} from '../../domain/webhooks/webhook.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { recordRoutes } from '../../http/routing/resource.ts';
import {
  idParams,
  id,
  nullable,
  strictObject,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import type { Db } from '../../store/db/connection.ts';
import type { ApiContext } from '../context.ts';
import { renderText } from '../../base/texts/texts.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

const { field: scheduleField, view: scheduleView } = viewsOf<Schedule>();
export const schedule = scheduleView({
  at: time,
  version: Type.Integer(),
  dedupOverlapHours: nullable(Type.Integer()),
  by: scheduleField(text, ({ by }) => by.name),
});

const setupAnswer = strictObject({
  sample: Type.Boolean(),
  mapping: Type.Boolean(),
  active: Type.Boolean(),
  next: Type.Union([stringEnum(['sample', 'mapping', 'activation']), Type.Null()], {
    examples: [null],
    description: 'The next setup step; null if setup is complete.',
  }),
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

const statusAnswer = stringEnum(webhookStatuses, {
  // The rest of the example is that of an active webhook.
  examples: ['active'],
});
const statusLabel = Type.String({
  description: 'The status as text in the caller’s language.',
});
const activeVersion = Type.Integer({ description: 'The mapping version applied to new events.' });
const previousVersion = Type.Integer({ description: 'The version that a rollback activates.' });

const { field, view } = viewsOf<Webhook>();
/** What the routes under the id of a webhook have in common. */
export const ofWebhook = (ctx: Db) => ({
  restriction: webhookOfPath,
  params: idParams,
  find: (params: Static<typeof idParams>) => getWebhook(ctx, params.id),
});

type Plain = typeof webhookFields.properties;
const plainFields = Object.fromEntries(
  Object.entries(Type.Required(webhookFields).properties).map(([name, schema]) => [
    name,
    field(schema, (record) => webhookFieldsOf(record)[name as keyof Plain]),
  ]),
) as { [Name in keyof Plain]: ReturnType<typeof field<Plain[Name]>> };

export const webhook = view({
  id,
  ...plainFields,
  channelId: id,
  producerProfile: text,
  status: statusAnswer,
  statusLabel: field(statusLabel, ({ status }, language) =>
    renderText(`status.${status}`, language),
  ),
  setup: field(setupAnswer, setupOf),
  activeVersion: nullable(activeVersion),
  previousVersion: field(
    nullable(previousVersion),
    ({ formerVersions }) => formerVersions.at(-1) ?? null,
  ),
  schedule: field(nullable(schedule.answer), (record) =>
    record.schedule ? schedule.present(record.schedule) : null,
  ),
  createdAt: time,
  updatedAt: time,
});

export const webhookRecord = (ctx: ApiContext) =>
  recordRoutes(webhook, { path: '/v1/admin/webhooks/:id', ...ofWebhook(ctx) });
