/**
 * The ticker that erases people: one small step after another, by the process that claims the next.
 *
 * 1. The person's events lose their bodies, and their fences rise, so that a worker which has one writes nothing more. All
 *    events are searched for one bounded group of identities after another.
 * 2. Messages, chats, conflicts, identities and contact are deleted in batches; a tombstone stays.
 * 3. The open events are scanned once more.
 *
 * Promises: a step is done as a whole or not at all; when a process dies, another continues. A worker's transaction and a step that
 * change the same person conflict, so that a slow worker writes nothing of an erased person.
 */
import { startTicker } from '../base/process/ticker.ts';
import type { ErasureRecord, ErasureSubject } from '../domain/people/erasure.ts';
import type { ProcessContext } from '../context/process-context.ts';
import { steps } from './steps.ts';

type Options = { readonly intervalMs: number };

const busyMs = 500;
const noSubject: ErasureSubject = { contactIds: [], channelIds: [], identities: [] };

export function startErasure(ctx: ProcessContext, options: Options) {
  const tick = () => eraseNext(ctx, options);
  return { tick, ...startTicker(tick, { firstMs: options.intervalMs / 10 }) };
}

/** Does what can be done now. Resolves to the time until the next tick, in milliseconds. */
async function eraseNext(ctx: ProcessContext, { intervalMs }: Options): Promise<number> {
  const { erasures, logger } = ctx;
  try {
    const claimed = await erasures.claim();
    if (!claimed) return intervalMs;
    await runSteps(ctx, claimed);
    return Math.min(intervalMs, busyMs);
  } catch (error) {
    logger.warn({ err: error }, 'erasure.failed');
    return busyMs;
  }
}

/** Runs the steps of one erasure until it is done, or is claimed by another process. */
async function runSteps(ctx: ProcessContext, claimed: ErasureRecord): Promise<void> {
  const { erasures } = ctx;
  const searchedIn = createSearched(ctx);
  let record: ErasureRecord | null = claimed;
  while (record && record.phase !== 'done' && record.token === claimed.token) {
    const searched = await searchedIn(record);
    const wentOn: boolean = await steps[record.phase](ctx, record, searched);
    record = wentOn ? await erasures.get(claimed._id) : null;
  }
}

/** Returns the subject with the identities that the phase searches for. A group is read once for all its steps. */
function createSearched({ people }: ProcessContext) {
  let read: { readonly upTo: string; readonly identities: ErasureSubject['identities'] } | null =
    null;
  return async function searchedIn({ sought, group }: ErasureRecord): Promise<ErasureSubject> {
    const subject = sought ?? noSubject;
    if (!group) return subject;
    const { upTo } = group;
    if (read?.upTo !== upTo)
      read = { upTo, identities: await people.readIdentityGroup(subject.contactIds, group) };
    return { ...subject, identities: read.identities };
  };
}
