/**
 * Verifies what the promises rest on, as after a restore: the unique indexes, and the secrets under the configured keys; on
 * request also the records: the active mappings, and the effects of a sample of the finished events.
 */
import { effectIdsOf, type EventRecord } from '../../domain/events/event.ts';
import type { ApiContext } from '../context.ts';
import { databaseFindings, recordFindings, type RecordFacts } from './database-findings.ts';
import type { Finding } from './finding.ts';
import { countStoredEffects, listMissingIndexes } from '../../store/maintenance/database-state.ts';
import { verifySecrets } from '../../store/maintenance/stored-secrets.ts';
import { listWebhooks } from '../../store/webhooks/webhooks.ts';
import { getMappings } from '../../store/webhooks/mappings.ts';

/** Of the webhooks whose mappings are read at once. */
const webhooksPerPage = 200;

/** Of the finished events whose effects are looked up. */
const lastEvents = 50;
const perProbe = 5;
const maxProbes = 300;
const probesAtOnce = 10;

async function readMappings(ctx: ApiContext): Promise<RecordFacts['mappings']> {
  let [active, readable] = [0, 0];
  for (let skip = 0; ; skip += webhooksPerPage) {
    const page = { skip, limit: webhooksPerPage, sort: { createdAt: 1 } } as const;
    const { results } = await listWebhooks(ctx, {}, page);
    const wanted = results.flatMap(({ _id: webhookId, activeVersion: version }) =>
      version === null ? [] : { webhookId, version },
    );
    active += wanted.length;
    readable += (await getMappings(ctx, wanted)).length;
    if (results.length < webhooksPerPage) return { active, readable };
  }
}

async function readEvents(ctx: ApiContext): Promise<RecordFacts['events']> {
  const results = await sampleDone(ctx.events);
  // An erased event keeps the ids of what was erased, and a body that was split has no effects of its own.
  const made = results.filter(({ erased, items }) => !erased && typeof items !== 'number');
  const effects = made.flatMap((event) => effectIdsOf(event) ?? []);
  const lacking = made.length - (await countStoredEffects(ctx, effects));
  return { finished: results.length, whole: results.length - lacking };
}

/** `records`: also the mappings and a sample of the events. */
export async function verifyDatabase(
  ctx: ApiContext,
  { records = false }: { readonly records?: boolean },
) {
  const facts = {
    missingIndexes: await listMissingIndexes(ctx),
    secrets: await verifySecrets(ctx, ctx.vault),
  };
  const findings: Finding[] = databaseFindings(facts);
  if (!records) return { ...facts, findings };
  const found = { mappings: await readMappings(ctx), events: await readEvents(ctx) };
  return { ...facts, findings: [...findings, ...recordFindings(found)] };
}

type Times = { readonly from: Date; readonly to: Date };

/**
 * Returns finished events, each once: the last ones, and a sample of the whole time. A probe reads some of a range, which is halved
 * until all of its events are read or no probe is left. So times with few events are read whole, and a time with many
 * gets most of the probes.
 */
async function sampleDone(events: Pick<ApiContext['events'], 'page'>): Promise<EventRecord[]> {
  const find = async (limit: number, direction: 1 | -1, times: Partial<Times> = {}) => {
    const page = {
      order: { field: 'receivedAt', direction },
      skip: 0,
      limit,
      bodies: false,
    } as const;
    return (await events.page({ state: ['done'], parents: true, ...times }, page)).found;
  };
  const [[oldest], newest] = await Promise.all([find(1, 1), find(lastEvents, -1)]);
  if (!oldest || !newest[0]) return [];
  const sampled = [...newest];
  const ranges: Times[] = [{ from: oldest.receivedAt, to: newest[0].receivedAt }];
  for (let probes = 0; ranges.length > 0 && probes < maxProbes;) {
    const probed = ranges.splice(0, probesAtOnce);
    probes += probed.length;
    const found = await Promise.all(probed.map((times) => find(perProbe, 1, times)));
    sampled.push(...found.flat());
    ranges.push(...probed.flatMap((times, index) => halvesOf(times, found[index] ?? [])));
  }
  return [...new Map(sampled.map((event) => [event._id, event])).values()];
}

/** Of the rest of a range after what was found at its begin. Empty when that was all, or the rest is a millisecond. */
function halvesOf({ to }: Times, found: readonly EventRecord[]): Times[] {
  const last = found.at(-1);
  if (!last || found.length < perProbe || +to - +last.receivedAt <= 1) return [];
  const middle = new Date((+last.receivedAt + +to) / 2);
  return [
    { from: last.receivedAt, to: middle },
    { from: middle, to },
  ];
}
