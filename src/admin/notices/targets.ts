/**
 * Targets of notices: create, change, delete and test.
 *
 * Promises: secret settings are write-only, and stay with the origin that they were given for. A change that conflicts with
 * another one stores nothing.
 */
import { AppError, invalidField, orNotFound, type FieldProblem } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { mergePatch } from '../../base/json/merge-patch.ts';
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
import type { Reason } from '../../domain/events/actions.ts';
import {
  isZone,
  maxTargets,
  type QuietHours,
  type TargetKind,
  type TargetRecord,
} from '../../domain/notices/target.ts';
import type { AdminDeps } from '../dependencies.ts';
import {
  createSecretSettings,
  rejectSettings,
  requireSecretsAgain,
  splitSettings,
  withoutNulls,
} from '../secret-settings.ts';

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
export type CheckTarget = (kind: TargetKind, settings: ChannelSettings) => readonly FieldProblem[];
type ChangeBy = { readonly actor: Actor; readonly check: CheckTarget };

type TargetDeps = Pick<
  AdminDeps,
  'noticeTargets' | 'webhooks' | 'vault' | 'allowedDestinations' | 'publicUrl'
>;

const testWithinMs = 30_000;
const maxTries = 5;
const defaultReminderHours = 24;

function requireZone(quietHours: QuietHours | null | undefined): void {
  if (!quietHours || isZone(quietHours.zone)) return;
  throw invalidField('/quietHours/zone', 'is not a zone of the IANA database');
}

export function createNoticeTargets(deps: TargetDeps) {
  const { noticeTargets, vault, allowedDestinations } = deps;
  const options: OutboundOptions = { allowedDestinations, now: () => new Date() };
  const { sealAll, mergeSecrets } = createSecretSettings(vault, targetSecretLocation);
  const get = async (id: string): Promise<TargetRecord> => orNotFound(await noticeTargets.get(id));
  const check = (kind: TargetKind, settings: ChannelSettings) =>
    rejectSettings(noticeTargetKinds[kind].validateSettings(settings, options));
  const split = (kind: TargetKind, settings: ChannelSettings) =>
    splitSettings(targetSecretFields(kind), settings);

  /** Throws `invalid_field` or `conflict`. */
  async function change(
    id: string,
    { settings, ...set }: TargetChange,
    { actor, check: checkSchema }: ChangeBy,
  ): Promise<TargetRecord> {
    requireZone(set.quietHours);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const seen = await get(id);
      const { plain, secret: given } = split(seen.kind, settings ?? {});
      const merged = mergePatch(seen.settings, plain) as ChannelSettings;
      const { originOf } = noticeTargetKinds[seen.kind];
      const isMoved = originOf(merged) !== originOf(seen.settings);
      const secret = mergeSecrets(seen, given, isMoved);
      if (settings) {
        const kept = isMoved ? {} : (openOrNull(() => openTargetSettings(seen, vault)) ?? {});
        const whole = { ...kept, ...merged, ...secret };
        rejectSettings(checkSchema(seen.kind, withoutNulls(whole)));
        check(seen.kind, withoutNulls(whole));
        if (isMoved) requireSecretsAgain(seen, given);
      }
      const changed = await noticeTargets.change(
        seen,
        { ...set, ...(settings && { settings: merged, secrets: sealAll(id, secret) }) },
        actor,
      );
      if (changed.ok) return changed.value;
    }
    throw new AppError('conflict');
  }

  return {
    noticeTargetKinds,
    describeKinds: () =>
      Object.values(noticeTargetKinds).map(({ kind, settingsSchema }) => ({
        kind,
        settingsSchema,
        secrets: [...targetSecretFields(kind)],
      })),
    list: noticeTargets.list,
    get,
    create: createCreation(deps, { check, split, sealAll }),
    change,
    async remove(id: string, actor: Actor): Promise<void> {
      const removed = await noticeTargets.remove(id, actor);
      if (!removed.ok) throw new AppError('not_found');
    },
    test: createTest(deps, { get, options }),
  };
}

type CreateParts = {
  readonly check: (kind: TargetKind, settings: ChannelSettings) => void;
  readonly split: (kind: TargetKind, settings: ChannelSettings) => ReturnType<typeof splitSettings>;
  readonly sealAll: ReturnType<typeof createSecretSettings>['sealAll'];
};

function createCreation({ noticeTargets, webhooks }: TargetDeps, parts: CreateParts) {
  const { check, split, sealAll } = parts;

  /** Throws `invalid_field`. */
  return async function create(given: NewTarget, actor: Actor): Promise<TargetRecord> {
    const { kind, settings, webhookId = null } = given;
    check(kind, settings);
    requireZone(given.quietHours);
    if (webhookId !== null && !(await webhooks.get(webhookId))) {
      throw invalidField('/webhookId', 'does not exist');
    }
    const _id = newId();
    const { plain, secret } = split(kind, settings);
    const created = await noticeTargets.create(
      {
        _id,
        name: given.name,
        kind,
        webhookId,
        kinds: given.kinds ?? null,
        settings: plain,
        secrets: sealAll(_id, secret) as Record<string, string>,
        language: given.language ?? 'en',
        quietHours: given.quietHours ?? null,
        reminderHours:
          given.reminderHours === undefined ? defaultReminderHours : given.reminderHours,
      },
      actor,
    );
    if (created) return created;
    throw invalidField('', `there are ${maxTargets} targets`);
  };
}

type TestParts = {
  readonly get: (id: string) => Promise<TargetRecord>;
  readonly options: OutboundOptions;
};
type TestResult = { readonly outcome: 'delivered' | 'failed'; readonly reason: string | null };

/** Sends one notice that is marked as a test, at once and without retries. */
function createTest({ vault, publicUrl }: TargetDeps, { get, options }: TestParts) {
  const senders = createNoticeSenders(options);

  return async function test(id: string): Promise<TestResult> {
    const target = await get(id);
    const { kind, language, quietHours } = target;
    const settings = openOrNull(() => openTargetSettings(target, vault));
    if (!settings) return { outcome: 'failed', reason: 'secret_unreadable' satisfies Reason };
    const content = { entries: [], more: 0, isReminder: false, isTest: true };
    const notice = composeNotice(
      { id: newId(), date: new Date(), ...content },
      { language, quietHours, publicUrl },
    );
    const outcome = await senders[kind](notice, settings, { timeoutMs: testWithinMs, language });
    return outcome.kind === 'delivered'
      ? { outcome: 'delivered', reason: null }
      : { outcome: 'failed', reason: outcome.reason };
  };
}
