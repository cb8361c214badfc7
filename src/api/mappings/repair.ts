/** Suggests how a mapping reads an event that failed, compared with the last similar event that worked. Has no effects. */
import { invalidField } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MappingDocument, Payload } from '../../domain/mappings/mapping.ts';
import { charge } from '../../mapping/expressions/work-budget.ts';
import { leavesOf } from '../../../suggest/repair/leaves.ts';
import { repairInSteps, type Repair } from '../../../suggest/repair/repair.ts';
import { suggestInSteps } from '../../../suggest/suggest.ts';
import { jsonCharactersPerUnit, suggestStepUnits } from '../../mapping/work-limits.ts';
import { storedValue } from '../../producers/stored-body.ts';
import type { ApiContext } from '../context.ts';
import { maskBody, maskNamed } from '../samples/mask-credentials.ts';
import { readWithBody } from '../samples/payload.ts';
import { readTarget } from './mappings.ts';
import { inSteps, type RequestWork } from './work-limit.ts';

type RepairInput = {
  readonly webhookId: string;
  readonly eventId: string;
  /** The default is the active version. */
  readonly version?: number | undefined;
};

type RepairResult = Repair & {
  /** The version that was repaired. */
  readonly version: number;
  /** The event that worked, or null when none with a body is stored. */
  readonly workedEventId: string | null;
};

/** How many of the last successful events are compared with the failed one, and how many bytes of them. */
const [maxWorked, maxWorkedBytes] = [10, 4_194_304];

export async function repairMapping(
  ctx: ApiContext,
  { webhookId, eventId, version }: RepairInput,
  { tokenId }: Actor,
): Promise<RepairResult> {
  const { webhook, region } = await readTarget(ctx, webhookId);
  const wanted = version ?? webhook.activeVersion;
  const found = wanted === null ? null : await ctx.mappings.get(webhookId, wanted);
  if (!found) throw invalidField('/version', 'field.other_version');
  const failedEvent = await readWithBody(ctx, webhookId, eventId);
  const done = await ctx.events.findDoneBodies(webhookId, maxWorked);
  const others = done.filter(({ _id }) => _id !== failedEvent._id);
  return ctx.limitWork(tokenId, async (work) => {
    const read = (event: EventRecord) => payloadOf(event, webhook.producerProfile, work);
    const failed = await read(failedEvent);
    const worked = await mostSimilar(failed, others, { read, work });
    const suggestion = await inSteps(suggestInSteps([failed], { defaultRegion: region }), work);
    const input = {
      document: found.mapping as MappingDocument,
      worked: worked?.payload ?? null,
      failed,
      suggestion,
      region,
      budget: work.budget,
    };
    const repaired = await inSteps(repairInSteps(input), work);
    return { ...repaired, version: found.version, workedEventId: worked?.event._id ?? null };
  });
}

async function payloadOf(
  { delivery, bodyBytes }: EventRecord,
  profile: string,
  { budget, pause }: RequestWork,
): Promise<Payload> {
  if (!delivery) throw new Error('An event without a body cannot be compared.');
  charge(budget, bodyBytes / jsonCharactersPerUnit);
  const payload = {
    // Examples of values are shown.
    body: maskBody(storedValue(delivery, profile)),
    headers: maskNamed(delivery.headers),
    query: maskNamed(delivery.query),
  };
  await pause();
  return payload;
}

type Reading = {
  readonly read: (event: EventRecord) => Promise<Payload>;
  readonly work: RequestWork;
};
type Worked = { readonly event: EventRecord; readonly payload: Payload };

/** Senders send several kinds of events to one webhook: the event that shares most paths is the one to compare with. */
async function mostSimilar(
  failed: Payload,
  events: readonly EventRecord[],
  { read, work }: Reading,
): Promise<Worked | null> {
  const pathsOf = ({ body }: Payload) => new Set(leavesOf(body, [body]).map(({ path }) => path));
  const wanted = pathsOf(failed);
  let best: (Worked & { readonly shared: number }) | null = null;
  let bytes = 0;
  for (const event of events) {
    bytes += event.bodyBytes;
    if (best !== null && bytes > maxWorkedBytes) break;
    const payload = await read(event);
    const paths = pathsOf(payload);
    charge(work.budget, suggestStepUnits);
    await work.pause();
    const common = [...paths].filter((path) => wanted.has(path)).length;
    const shared = common / Math.max(1, new Set([...paths, ...wanted]).size);
    if (best === null || shared > best.shared) best = { event, payload, shared };
  }
  return best;
}
