/**
 * Commits a part of a set: the effects of its leads and the outcomes of all its events, in one transaction.
 *
 * Promises: after a conflict it is tried again, from the second try on with the events locked first; then person by person, so that a
 * busy person delays no other. Events that were changed since they were taken leave the part.
 */
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import type { Outcome } from '../../domain/events/outcome.ts';
import {
  listUnchanged,
  listWritten,
  lockEvents,
  StaleEvents,
  writeOutcomes,
  type Finish,
} from '../../store/events/outcomes.ts';
import { dropUnknownSet, leaveSet, type TakenEvent } from '../../store/sets/sets.ts';
import {
  CommitUnknown,
  runSetTransaction,
  SetConflict,
  SetEnded,
  type Tx,
} from '../../store/sets/set-transaction.ts';
import { applyLeads, type EffectStep } from '../effects/apply-leads.ts';
import type { PreparedLead } from '../effects/prepare-leads.ts';
import { planFinish, type PlanFinishDeps } from '../plan-finish.ts';
import type { HeldSet } from './held-set.ts';
import { conflictPause, maxTries, type RetryDeps } from './retry-conflicts.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** A point between two steps of a set. */
export type SetStep =
  | EffectStep
  | 'taken'
  | 'items'
  | 'begin'
  | 'lock'
  | 'outcomes'
  | 'commit'
  | 'committed';

export type CommitDeps = PlanFinishDeps &
  RetryDeps & {
    readonly tx: Tx;
    readonly set: HeldSet;
    readonly worker: string;
    readonly logger: Logger;
    readonly metrics: Pick<Metrics, 'leasesLost' | 'setConflicts'>;
    /** Resolves when the step may begin. */
    readonly onStep?: (step: SetStep) => Promise<void>;
    readonly onCommitted: (finishes: readonly Finish[]) => void;
    /** Called when a message is due for outbound delivery. */
    readonly wakeDelivery: () => void;
  };

export type Part = {
  readonly leads: readonly PreparedLead[];
  /** The events without effects. */
  readonly ended: readonly Finish[];
};

const idsOf = ({ leads, ended }: Part): string[] => [
  ...leads.map(({ lead }) => lead.event._id),
  ...ended.map(({ event }) => event._id),
];

/** Throws SetEnded, `unavailable` after a lease without an answer, and what is wrong with an event of the part. */
export async function commitPart(deps: CommitDeps, given: Part): Promise<void> {
  let part = given;
  for (let tries = 1; ; tries += 1) {
    if (idsOf(part).length === 0) return;
    const sinceMs = deps.clock.elapsedMs();
    try {
      return await retryWhileUnavailable({ ...deps, forMs: deps.leaseMs }, () =>
        commitOnce(deps, part, tries > 1),
      );
    } catch (error) {
      if (error instanceof StaleEvents) part = await withoutStale(deps, part);
      else if (!(error instanceof SetConflict)) throw error;
    }
    deps.metrics.setConflicts.inc();
    if (tries === maxTries) return divide(deps, part);
    await conflictPause(deps, { tries, tookMs: deps.clock.elapsedMs() - sinceMs });
  }
}

type Written = { readonly finishes: readonly Finish[]; readonly hasDeliveries: boolean };

async function commitOnce(deps: CommitDeps, part: Part, isLocked: boolean): Promise<void> {
  const { tx, set, clock, worker, onStep = atOnce } = deps;
  set.require();
  await onStep('begin');
  const ids = idsOf(part);
  const isWhole = ids.length === set.events.length;
  async function lock(): Promise<void> {
    await onStep('lock');
    await lockEvents(tx, ids, set.token);
  }
  const transaction = {
    token: set.token,
    eventIds: isWhole ? null : ids,
    ...(isLocked && { lock }),
  };
  let written: Written = { finishes: [], hasDeliveries: false };
  try {
    await set.during(() =>
      runSetTransaction(tx, transaction, async () => {
        const now = clock.now();
        const { outcomes, hasDeliveries } = await applyLeads({ tx, now, onStep }, part.leads);
        written = { finishes: [...part.ended, ...finishesOf(set, outcomes)], hasDeliveries };
        await onStep('outcomes');
        await writeOutcomes(tx, written.finishes, worker);
        await onStep('commit');
      }),
    );
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    return settle(deps, written);
  }
  if (isWhole) set.deleted();
  await onStep('committed');
  succeed(deps, written);
}

const atOnce = (): Promise<void> => Promise.resolve();

const finishesOf = (set: HeldSet, outcomes: ReadonlyMap<string, Outcome>): Finish[] =>
  [...outcomes].flatMap(([id, outcome]) => {
    const event = set.event(id);
    return event ? [{ event, outcome, delayMs: 0 }] : [];
  });

function succeed(deps: CommitDeps, { finishes, hasDeliveries }: Written): void {
  deps.set.remove(finishes.map(({ event }) => event._id));
  if (hasDeliveries) deps.wakeDelivery();
  deps.onCommitted(finishes);
}

/** Ends the set after its transaction. The events then tell whether it was committed. Throws SetEnded. */
async function settle(deps: CommitDeps, written: Written): Promise<never> {
  const { tx, set, leaseMs } = deps;
  const finishes = await retryWhileUnavailable({ ...deps, forMs: leaseMs }, async () => {
    await dropUnknownSet(tx, set.token);
    const ids = await listWritten(tx, written.finishes);
    return written.finishes.filter(({ event }) => ids.has(event._id));
  });
  if (finishes.length > 0) succeed(deps, { ...written, finishes });
  throw new SetEnded('The answer of a commit was lost.');
}

async function withoutStale(deps: CommitDeps, part: Part): Promise<Part> {
  const { tx, set, logger, metrics } = deps;
  const taken = idsOf(part).flatMap((id): TakenEvent[] => {
    const event = set.event(id);
    return event ? [event] : [];
  });
  const unchanged = await listUnchanged(tx, taken);
  const lost = idsOf(part).filter((id) => !unchanged.has(id));
  if (lost.length === 0) return part;
  // Others may take them as they are now.
  await leaveSet(tx.connection, set.token, lost);
  set.remove(lost);
  metrics.leasesLost.inc(lost.length);
  logger.warn({ events: lost }, 'lease.lost');
  return {
    leads: part.leads.filter(({ lead }) => unchanged.has(lead.event._id)),
    ended: part.ended.filter(({ event }) => unchanged.has(event._id)),
  };
}

/** Person by person. A single person whose transactions keep conflicting waits. */
async function divide(deps: CommitDeps, part: Part): Promise<void> {
  const people = byPerson(part.leads);
  if (people.length === 0) throw new SetConflict('The events keep changing.');
  if (people.length === 1 && part.ended.length === 0)
    return commitPart(deps, { leads: [], ended: await contended(deps, part.leads) });
  if (part.ended.length > 0) await commitPart(deps, { leads: [], ended: part.ended });
  for (const leads of people) await commitPart(deps, { leads, ended: [] });
}

const contended = (deps: CommitDeps, leads: readonly PreparedLead[]): Promise<Finish[]> =>
  Promise.all(
    leads.flatMap(({ lead }) => {
      const event = deps.set.event(lead.event._id);
      return event ? [planFinish(deps, event, { kind: 'retry', reason: 'effect_contended' })] : [];
    }),
  );

/** Groups the leads that share identities, also through others. */
function byPerson(leads: readonly PreparedLead[]): PreparedLead[][] {
  const groupOf = new Map<string, PreparedLead[]>();
  for (const one of leads) {
    const met = new Set(one.lead.identities.flatMap(({ _id }) => [groupOf.get(_id) ?? []]));
    const joined = [...[...met].flat(), one];
    for (const { lead } of joined) for (const { _id } of lead.identities) groupOf.set(_id, joined);
  }
  return [...new Set(groupOf.values())];
}
