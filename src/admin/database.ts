/**
 * Verifies what the promises rest on, as after a restore: the unique indexes, and the secrets under the configured keys; on
 * request also the records: the active mappings, and the effects of a sample of the finished events.
 */
import type { EventRecord } from '../domain/events/event.ts';
import type { AdminDeps } from './dependencies.ts';
import {
  databaseFindings,
  recordFindings,
  type RecordFacts,
} from './findings/database-findings.ts';
import type { Finding } from './findings/finding.ts';

/** Of the webhooks whose mappings are read at once. */
const webhooksPerPage = 200;

/** The events whose effects are looked up, at most. */
const sampleOf = {
  last: 50,
  /** Random ones find a loss among many events, wherever it is in time. */
  random: 1_000,
  /** Some of each part of the whole time find the loss of a time with few events. */
  parts: 100,
  perPart: 5,
  /** Parts that are read at once. */
  partsAtOnce: 10,
} as const;

export function createDatabaseVerification(deps: AdminDeps) {
  const { databaseState, storedSecrets, vault, webhooks, mappings, events } = deps;

  async function readMappings(): Promise<RecordFacts['mappings']> {
    let [active, readable] = [0, 0];
    for (let skip = 0; ; skip += webhooksPerPage) {
      const page = { skip, limit: webhooksPerPage, sort: { createdAt: 1 } } as const;
      const { results } = await webhooks.list({}, page);
      const wanted = results.flatMap(({ _id: webhookId, activeVersion: version }) =>
        version === null ? [] : { webhookId, version },
      );
      active += wanted.length;
      readable += (await mappings.getMany(wanted)).length;
      if (results.length < webhooksPerPage) return { active, readable };
    }
  }

  async function readEvents(): Promise<RecordFacts['events']> {
    const results = await sampleDone(events);
    // An erased event keeps the ids of what was erased, and a body that was split has no effects of its own.
    const made = results.filter(({ erased, items }) => !erased && typeof items !== 'number');
    const effects = made.flatMap((event) => event.effects ?? []);
    const lacking = made.length - (await databaseState.countStored(effects));
    return { finished: results.length, whole: results.length - lacking };
  }

  return {
    async verify({ records = false }: { readonly records?: boolean }) {
      const facts = {
        missingIndexes: await databaseState.missingIndexes(),
        secrets: await storedSecrets.verify(vault),
      };
      const findings: Finding[] = databaseFindings(facts);
      if (!records) return { ...facts, findings };
      const more = { mappings: await readMappings(), events: await readEvents() };
      return { ...facts, findings: [...findings, ...recordFindings(more)] };
    },
  };
}

type SampledEvents = Pick<AdminDeps['events'], 'page' | 'sampleDone'>;

/** Returns finished events of the whole time, each once. */
async function sampleDone(events: SampledEvents): Promise<readonly EventRecord[]> {
  const { last, random, parts, perPart, partsAtOnce } = sampleOf;
  const find = (limit: number, direction: 1 | -1, range: { from?: Date; to?: Date } = {}) =>
    events.page(
      { state: ['done'], parents: true, ...range },
      { order: { field: 'receivedAt', direction }, skip: 0, limit, bodies: false },
    );
  const [[oldest], newest] = await Promise.all([find(1, 1), find(last, -1)]);
  if (!oldest) return [];
  const sampled = [oldest, ...newest, ...(await events.sampleDone(random))];
  const firstMs = oldest.receivedAt.getTime();
  const partMs = ((newest[0]?.receivedAt.getTime() ?? firstMs) - firstMs) / parts;
  const startOf = (part: number) => new Date(firstMs + part * partMs);
  for (let part = 0; part < parts; part += partsAtOnce) {
    const ranges = Array.from({ length: partsAtOnce }, (_value, index) => ({
      from: startOf(part + index),
      to: startOf(part + index + 1),
    }));
    const found = await Promise.all(ranges.map((range) => find(perPart, 1, range)));
    sampled.push(...found.flat());
  }
  return [...new Map(sampled.map((event) => [event._id, event])).values()];
}
