/** The step that changes what differs, and what all steps share. */
import { CommandFailure } from '../terminal/failure.ts';
import { changesBetween, mergePatchOf } from './difference.ts';
import { withSecrets, type Json } from './secrets.ts';
import type { Server } from './server-state.ts';
import type { PlanOptions, Run, Step } from './step.ts';

export type Noun = 'channel' | 'webhook' | 'notice target';

export type Context = {
  readonly server: Server;
  readonly options: PlanOptions;
  /** Ids by name. Those of new records are added when they are created. */
  readonly ids: Readonly<Record<Noun, Map<string, string>>>;
};

export const idOf = (ids: ReadonlyMap<string, string>, name: string): string => {
  const id = ids.get(name);
  if (id === undefined) throw new CommandFailure(`${name} does not exist any more. Apply again.`);
  return id;
};

type Part = Pick<Step, 'noun' | 'name'> &
  Pick<NonNullable<Step['seen']>, 'of' | 'id'> & {
    readonly current: Json;
    readonly wanted: Json;
    /** False: a record that does not exist yet. */
    readonly isSeen?: boolean;
    readonly file?: { readonly settings?: Json; readonly place: string };
    readonly secrets?: readonly string[];
  };

/** Changes what differs. `update` gets the merge patch. */
export function planChange(
  { noun, name, of, id, current, wanted, isSeen = true, file, secrets = [] }: Part,
  update: (run: Run, patch: Json) => Promise<unknown>,
): Step[] {
  const changes = changesBetween(current, wanted);
  if (changes.length === 0) return [];
  const plain = mergePatchOf(current, wanted);
  const patch = file ? withSecrets(plain, file, secrets) : plain;
  const seen = isSeen ? { of, id, value: current } : undefined;
  const run = (given: Run) => update(given, patch);
  return [{ verb: 'change', noun, name, changes, notes: [], seen, run }];
}
