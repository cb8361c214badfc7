/**
 * Targets of notices: create, change, delete and test.
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
  createSecretSettings,
  rejectSettings,
  testDestination,
  testWithinMs,
} from '../channels/secret-settings.ts';

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

type TargetDeps = Pick<
  ApiContext,
  'noticeTargets' | 'webhooks' | 'vault' | 'allowedDestinations' | 'publicUrl'
>;

const defaultReminderHours = 24;

function requireZone(quietHours: QuietHours | null | undefined): void {
  if (!quietHours || isZone(quietHours.zone)) return;
  throw invalidField('/quietHours/zone', 'is not a zone of the IANA database');
}

const describeKinds = () =>
  Object.values(noticeTargetKinds).map(({ kind, settingsSchema }) => ({
    kind,
    settingsSchema,
    secrets: [...targetSecretFields(kind)],
  }));

export function createNoticeTargets(deps: TargetDeps) {
  const { noticeTargets, webhooks, vault, allowedDestinations, publicUrl } = deps;
  const options: OutboundOptions = { allowedDestinations, now: () => new Date() };
  const { split, merge } = createSecretSettings(vault, targetSecretLocation);
  const senders = createNoticeSenders(options);
  const get = async (id: string): Promise<TargetRecord> => orNotFound(await noticeTargets.get(id));
  const openedOf = (target: TargetRecord) => openOrNull(() => openTargetSettings(target, vault));
  const checkSettings = (kind: TargetKind, settings: ChannelSettings) =>
    rejectSettings(noticeTargetKinds[kind].validateSettings(settings, options));

  return {
    noticeTargetKinds,
    describeKinds,
    list: noticeTargets.list,
    get,

    /** Throws `invalid_field`. */
    async create(given: NewTarget, actor: Actor): Promise<TargetRecord> {
      const { kind, webhookId = null, reminderHours = defaultReminderHours } = given;
      checkSettings(kind, given.settings);
      requireZone(given.quietHours);
      if (webhookId !== null && !(await webhooks.get(webhookId))) {
        throw invalidField('/webhookId', 'does not exist');
      }
      const _id = newId();
      const { name, kinds = null, language = 'en', quietHours = null } = given;
      const stored = split(_id, targetSecretFields(kind), given.settings);
      const created = await noticeTargets.create(
        { _id, name, kind, webhookId, kinds, ...stored, language, quietHours, reminderHours },
        actor,
      );
      if (created) return created;
      throw invalidField('', `there are ${maxTargets} targets`);
    },

    /** Throws `invalid_field` or `conflict`. */
    change(
      id: string,
      { settings, ...set }: TargetChange,
      { actor, check }: ChangeBy,
    ): Promise<TargetRecord> {
      requireZone(set.quietHours);
      return retryOnConflict(async () => {
        const seen = await get(id);
        const { kind } = seen;
        const rules = {
          secretNames: targetSecretFields(kind),
          originOf: noticeTargetKinds[kind].originOf,
          kept: () => openedOf(seen),
          check: (whole: ChannelSettings) => {
            rejectSettings(check(kind, whole));
            checkSettings(kind, whole);
          },
        };
        const change = { ...set, ...(settings && merge(seen, settings, rules)) };
        return noticeTargets.change(seen, change, actor);
      });
    },

    async remove(id: string, actor: Actor): Promise<void> {
      valueOrThrow(await noticeTargets.remove(id, actor));
    },

    /** Sends one notice that is marked as a test, at once and without retries. */
    async test(id: string): ReturnType<typeof testDestination> {
      const target = await get(id);
      const { kind, language, quietHours } = target;
      const content = { entries: [], more: 0, isReminder: false, isTest: true };
      const notice = composeNotice(
        { id: newId(), date: new Date(), ...content },
        { language, quietHours, publicUrl },
      );
      return testDestination(openedOf(target), (settings) =>
        senders[kind](notice, settings, { timeoutMs: testWithinMs, language }),
      );
    },
  };
}
