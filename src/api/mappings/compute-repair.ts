/** Suggests how a mapping reads an event that failed, compared with the last similar event that worked, in the thread of computations. */
import type { EventRecord } from '../../domain/events/event.ts';
import type { MappingDocument, Payload } from '../../domain/mappings/mapping.ts';
import { charge, type WorkBudget } from '../../mapping/expressions/work-budget.ts';
import { chargeStep } from '../../../suggest/charge-step.ts';
import { leavesOf } from '../../../suggest/repair/leaves.ts';
import { repairMapping, type Repair } from '../../../suggest/repair/repair.ts';
import { suggestMapping } from '../../../suggest/suggest.ts';
import { jsonCharactersPerUnit } from '../../mapping/work-limits.ts';
import { storedValue } from '../../producers/stored-body.ts';
import { maskBody, maskNamed } from '../samples/mask-credentials.ts';
import { receiveRequest } from '../samples/payload.ts';

type ComparedEvent = Pick<EventRecord, 'delivery' | 'bodyBytes'> & {
  readonly eventId: string;
};

type RepairTask = {
  readonly document: unknown;
  readonly failed: ComparedEvent;
  /** Events that worked, newest first. */
  readonly others: readonly ComparedEvent[];
  readonly profile: string;
  readonly region: string;
};

type ComputedRepair = Repair & {
  /** The event that worked, or null when none with a body is stored. */
  readonly workedEventId: string | null;
};

/** How many bytes of the events that worked are compared with the failed one. */
const maxWorkedBytes = 4_194_304;

export function computeRepair(task: RepairTask, budget: WorkBudget): ComputedRepair {
  const { document, region, profile } = task;
  const failed = payloadOf(task.failed, profile, budget);
  const worked = mostSimilar(failed, task, budget);
  const input = {
    document: document as MappingDocument,
    worked: worked?.payload ?? null,
    failed,
    suggestion: suggestMapping([failed], { defaultRegion: region, budget }),
    region,
    budget,
  };
  return { ...repairMapping(input), workedEventId: worked?.eventId ?? null };
}

function payloadOf(
  { delivery, bodyBytes }: ComparedEvent,
  profile: string,
  budget: WorkBudget,
): Payload {
  if (!delivery) throw new Error('An event without a body cannot be compared.');
  charge(budget, bodyBytes / jsonCharactersPerUnit);
  return {
    // Examples of values are shown.
    body: maskBody(storedValue(receiveRequest(delivery), profile)),
    headers: maskNamed(delivery.headers),
    query: maskNamed(delivery.query),
  };
}

type Worked = { readonly eventId: string; readonly payload: Payload };

/** Senders send several kinds of events to one webhook: the event that shares most paths is the one to compare with. */
function mostSimilar(
  failed: Payload,
  { others, profile }: RepairTask,
  budget: WorkBudget,
): Worked | null {
  const pathsOf = ({ body }: Payload) => new Set(leavesOf(body, [body]).map(({ path }) => path));
  const wanted = pathsOf(failed);
  let best: (Worked & { readonly shared: number }) | null = null;
  let bytes = 0;
  for (const event of others) {
    bytes += event.bodyBytes;
    if (best !== null && bytes > maxWorkedBytes) break;
    const payload = payloadOf(event, profile, budget);
    const paths = pathsOf(payload);
    chargeStep(budget);
    const common = [...paths].filter((path) => wanted.has(path)).length;
    const shared = common / Math.max(1, new Set([...paths, ...wanted]).size);
    if (best === null || shared > best.shared) best = { eventId: event.eventId, payload, shared };
  }
  return best;
}
