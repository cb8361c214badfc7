/** Plans a channel or a target of notices: a name, a kind, settings with secrets, and plain fields. */
import { CommandFailure } from '../terminal/failure.ts';
import { changesBetween, isSame, mergePatchOf, withoutNulls, type Change } from './difference.ts';
import { plainSettings, type RecordFile, type Settings } from './files.ts';
import { fillVariables, replaceAt, secretMark, valueAt, type Json } from './secrets.ts';
import { recordState, type RecordRow } from './server-state.ts';
import type { PlanOptions, Step } from './step.ts';

/** Replaces secrets by marks on both sides, so that only whether they are set is compared. */
export function markSecrets(
  settings: Json,
  secrets: readonly string[],
  { secrets: areSentAgain }: PlanOptions,
): Json {
  const mark = (value: unknown) =>
    areSentAgain ? `${secretMark(value)} again` : secretMark(value);
  return secrets.reduce((marked, path) => replaceAt(marked, path, mark), settings);
}

/** Puts the values of the environment in the place of the marks of a patch. */
export const withSecrets = (patch: Json, file: Settings, secrets: readonly string[]): Json =>
  secrets.reduce(
    (filled, path) =>
      replaceAt(filled, path, () => fillVariables(valueAt(file.settings, path), file.place)),
    patch,
  );

type Planned = {
  readonly noun: 'channel' | 'notice target';
  readonly file: RecordFile;
  readonly found: RecordRow | undefined;
  readonly secrets: readonly string[];
  /** Besides name, kind, enabled and settings. */
  readonly fields?: Json;
  /** The name of the webhook that a target is for. */
  readonly webhook?: string | undefined;
};

export function planRecord(planned: Planned, options: PlanOptions): Step[] {
  const { noun, file, found, secrets, fields = {} } = planned;
  const { name, kind, enabled = true } = file;
  const settings = markSecrets(plainSettings(file, secrets), secrets, options);
  if (!found) return planCreation(planned, settings);
  if (found.kind !== kind) {
    throw new CommandFailure(
      `${file.place}: the ${noun} ${name} is of the kind ${found.kind}, which cannot change.`,
    );
  }
  const wanted = { name, enabled, ...fields, settings };
  const current = recordState(found);
  const changes = changesBetween(current, wanted);
  if (changes.length === 0) return [];
  const plain = Object.entries({ name, enabled, ...fields }).filter(
    ([field, value]) => !isSame({ value: current[field] }, { value }),
  );
  const patch = withSecrets(mergePatchOf(current.settings as Json, settings), file, secrets);
  const body = {
    ...Object.fromEntries(plain),
    ...(Object.keys(patch).length > 0 && { settings: patch }),
  };
  const seen = { of: noun, value: current };
  const action = { kind: 'update', body } as const;
  return [{ verb: 'change', noun, name, id: found.id, changes, notes: [], seen, action }];
}

function planCreation(
  { noun, file, secrets, fields = {}, webhook }: Planned,
  settings: Json,
): Step[] {
  const { name, kind, enabled = true } = file;
  const shown = {
    kind,
    ...(webhook !== undefined && { webhook }),
    ...withoutNulls(fields),
    settings,
  };
  const body = { name, kind, ...fields, settings: withSecrets(settings, file, secrets) };
  const action = { kind: 'create', body, webhook } as const;
  const step = { noun, name, notes: [] };
  const created: Step = { ...step, verb: 'create', changes: changesBetween({}, shown), action };
  if (enabled) return [created];
  const off: Change[] = [{ path: 'enabled', before: true, after: false }];
  const disable = { kind: 'update', body: { enabled } } as const;
  return [created, { ...step, verb: 'change', changes: off, action: disable }];
}
