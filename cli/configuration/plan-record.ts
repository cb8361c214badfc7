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
  /** The name of the webhook that a target is for. */
  readonly webhook?: string | undefined;
};

const plainFields = ['enabled', 'kinds', 'language', 'quietHours', 'reminderHours'];

/** The fields that the file has. The others are not managed. */
const given = (file: object): Json =>
  Object.fromEntries(Object.entries(file).filter(([field]) => plainFields.includes(field)));

export function planRecord(planned: Planned, options: PlanOptions): Step[] {
  const { noun, file, found, secrets } = planned;
  const { name, kind } = file;
  const settings = markSecrets(plainSettings(file, secrets), secrets, options);
  if (!found) return planCreation(planned, settings);
  if (found.kind !== kind) {
    throw new CommandFailure(
      `${file.place}: the ${noun} ${name} is of the kind ${found.kind}, which cannot change.`,
    );
  }
  const plain = { name, ...given(file) };
  const wanted: Json = file.settings ? { ...plain, settings } : plain;
  const state = recordState(found);
  const current = Object.fromEntries(Object.keys(wanted).map((field) => [field, state[field]]));
  const changes = changesBetween(current, wanted);
  if (changes.length === 0) return [];
  const differing = Object.entries(plain).filter(
    ([field, value]) => !isSame({ value: current[field] }, { value }),
  );
  const settingsPatch = file.settings ? mergePatchOf(current.settings as Json, settings) : {};
  const patch = withSecrets(settingsPatch, file, secrets);
  const body = {
    ...Object.fromEntries(differing),
    ...(Object.keys(patch).length > 0 && { settings: patch }),
  };
  const seen = { of: noun, value: current };
  const action = { kind: 'update', body } as const;
  return [{ verb: 'change', noun, name, id: found.id, changes, notes: [], seen, action }];
}

function planCreation({ noun, file, secrets, webhook }: Planned, settings: Json): Step[] {
  const { name, kind } = file;
  const { enabled = true, ...fields } = given(file);
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
