/**
 * Targets of notices: create, change, delete and test; retry of what was not delivered to one.
 *
 * Promises: secret settings are write-only, and stay with the origin that they were given for. A change that conflicts with
 * another one stores nothing.
 */
import { invalidField, orNotFound, valueOrThrow, type FieldProblem } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { openOrNull } from '../../base/secrets/vault.ts';
import type { ChannelSettings, OutboundOptions } from '../../channels/channel.ts';
import { composeNotice } from '../../channels/notices/compose-notice.ts';
import {
  createNoticeSenders,
  noticeTargetKinds,
  openTargetSettings,
  targetSecretFields,
} from '../../channels/notices/target-kinds.ts';
import { targetSecretLocation } from '../../domain/access/secret-locations.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  isZone,
  maxTargets,
  type QuietHours,
  type TargetKind,
  type TargetRecord,
} from '../../domain/notices/target.ts';
import type { ApiContext } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import {
  mergeSettings,
  rejectSettings,
  sealSettings,
  testDestination,
  testWithinMs,
  type SecretSettings,
  type TestResult,
} from '../channels/secret-settings.ts';
import { textWith } from '../../base/texts/texts.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

type Given = Partial<
  Pick<TargetRecord, 'kinds' | 'language' | 'reminderHours'> & { quietHours: QuietHours | null }
>;
type NewTarget = Given & {
  readonly name: string;
  readonly kind: TargetKind;
  readonly webhookId?: string | null;
  readonly settings: ChannelSettings;
};
/** Settings are merged (RFC 7396): null removes a setting, absent settings stay. */
type TargetChange = Given & {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly settings?: ChannelSettings;
};

/** Validates settings against the schema of the kind. Paths are relative to the settings. */
type CheckTarget = (kind: TargetKind, settings: ChannelSettings) => readonly FieldProblem[];
type ChangeBy = { readonly actor: Actor; readonly check: CheckTarget };

const defaultReminderHours = 24;

function requireZone(quietHours: QuietHours | null | undefined): void {
  if (!quietHours || isZone(quietHours.zone)) return;
  throw invalidField('/quietHours/zone', 'field.not_a_zone');
}

export const describeTargetKinds = () =>
  Object.values(noticeTargetKinds).map(({ kind, settingsSchema }) => ({
    kind,
    settingsSchema,
    secrets: [...targetSecretFields(kind)],
  }));

const outboundOptions = ({ allowedDestinations, clock }: ApiContext): OutboundOptions => ({
  allowedDestinations,
  now: () => clock.now(),
});

const checkSettings = (ctx: ApiContext, kind: TargetKind, settings: ChannelSettings): void =>
  rejectSettings(noticeTargetKinds[kind].validateSettings(settings, outboundOptions(ctx)));

const secretsOf = ({ vault }: ApiContext, kind: TargetKind): SecretSettings => ({
  vault,
  names: targetSecretFields(kind),
  locationOf: targetSecretLocation,
});

const requireTarget = async ({ noticeTargets }: ApiContext, id: string): Promise<TargetRecord> =>
  orNotFound(await noticeTargets.get(id));

/** Throws `invalid_field`. */
export async function createTarget(
  ctx: ApiContext,
  given: NewTarget,
  actor: Actor,
): Promise<TargetRecord> {
  const { kind, webhookId = null, reminderHours = defaultReminderHours } = given;
  checkSettings(ctx, kind, given.settings);
  requireZone(given.quietHours);
  if (webhookId !== null && !(await getWebhook(ctx, webhookId))) {
    throw invalidField('/webhookId', 'field.missing_record');
  }
  const _id = newId();
  const { name, kinds = null, language = 'en', quietHours = null } = given;
  const stored = sealSettings(secretsOf(ctx, kind), _id, given.settings);
  const created = await ctx.noticeTargets.create(
    { _id, name, kind, webhookId, kinds, ...stored, language, quietHours, reminderHours },
    actor,
  );
  if (created) return created;
  throw invalidField('', textWith('field.too_many_targets', { max: maxTargets }));
}

/** Throws `invalid_field` or `conflict`. */
export function changeTarget(
  ctx: ApiContext,
  { id, settings, ...set }: TargetChange & { readonly id: string },
  { actor, check }: ChangeBy,
): Promise<TargetRecord> {
  requireZone(set.quietHours);
  return retryOnConflict(async () => {
    const seen = await requireTarget(ctx, id);
    const { kind } = seen;
    const rules = {
      originOf: noticeTargetKinds[kind].originOf,
      kept: () => openOrNull(() => openTargetSettings(seen, ctx.vault)),
      check: (whole: ChannelSettings) => {
        rejectSettings(check(kind, whole));
        checkSettings(ctx, kind, whole);
      },
    };
    const stored =
      settings && mergeSettings(secretsOf(ctx, kind), seen, { change: settings, ...rules });
    return ctx.noticeTargets.change(seen, { ...set, ...stored }, actor);
  });
}

export const removeTarget = async (ctx: ApiContext, id: string, actor: Actor): Promise<void> =>
  void valueOrThrow(await ctx.noticeTargets.remove(id, actor));

/** Sends one notice that is marked as a test, at once and without retries. */
export async function testTarget(ctx: ApiContext, id: string): Promise<TestResult> {
  const target = await requireTarget(ctx, id);
  const { kind, language, quietHours } = target;
  const content = { entries: [], more: 0, isReminder: false, isTest: true };
  const notice = composeNotice(
    { id: newId(), date: ctx.clock.now(), ...content },
    { language, quietHours, publicUrl: ctx.publicUrl },
  );
  const send = createNoticeSenders(outboundOptions(ctx))[kind];
  return testDestination(
    openOrNull(() => openTargetSettings(target, ctx.vault)),
    (settings) => send(notice, settings, { timeoutMs: testWithinMs, language }),
  );
}

/** One call retries at most so many; each has its own audit row. */
export const maxRetried = 100;

/** Retries the oldest dead deliveries of a target. Those that another person retries first are skipped. */
export async function retryDeliveriesOf(
  ctx: ApiContext,
  targetId: string,
  actor: Actor,
): Promise<{ retried: number; more: boolean }> {
  const { noticeDeliveries } = ctx;
  await requireTarget(ctx, targetId);
  const ids = await noticeDeliveries.findDead(targetId, maxRetried + 1);
  let retried = 0;
  for (const id of ids.slice(0, maxRetried)) {
    const resent = await noticeDeliveries.resend(id, actor);
    if (resent.ok) retried += 1;
  }
  return { retried, more: ids.length > maxRetried };
}
