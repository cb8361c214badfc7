// Abuse beside the faults: attackers, a steady sender whose answers are measured, erasures, and retention with expired events.
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from '../cluster/cluster.ts';
import type { Api } from '../cluster/retrying-api.ts';
import type { AttackOptions, AttackResult } from './attackers.ts';
import { idReceivedAt } from '../../../support/fixtures/received-at.ts';
import { startHelper } from './helper-process.ts';
import type { SteadyOptions, SteadyResult } from './steady-sender.ts';
import type { AbuseTargets } from './webhooks.ts';

type AbuseOptions = {
  readonly api: Api;
  readonly cluster: Cluster;
  readonly targets: AbuseTargets;
  readonly urls: readonly string[];
  /** Without them, only the steady sender runs. */
  readonly hasAttackers: boolean;
};

export type AbuseResult = {
  readonly steady: SteadyResult;
  readonly attacks: AttackResult;
  readonly erasures: number;
  /** Events that were made old enough for retention. */
  readonly expired: number;
};

type Abuse = { stop(): Promise<AbuseResult> };

const steadyPerSecond = 50;
const maintenanceEveryMs = 20_000;
const expiredAtOnce = 2_000;
/** Longer than the default retention. */
const ageMs = 400 * 24 * 3_600_000;
const deleteWithinMs = 180_000;

export function startAbuse(options: AbuseOptions): Abuse {
  const { targets, urls, hasAttackers } = options;
  const steadyOptions = { urls, key: targets.steady.key, perSecond: steadyPerSecond };
  const steady = startHelper<SteadyResult>(
    'steady-sender.ts',
    steadyOptions satisfies SteadyOptions,
  );
  const attackOptions = { urls, resentKey: targets.resent.key, attackedKey: targets.attacked.key };
  const attackers = hasAttackers
    ? startHelper<AttackResult>('attackers.ts', attackOptions satisfies AttackOptions)
    : undefined;
  const stopping = new AbortController();
  const maintenance = hasAttackers
    ? maintain(options, stopping.signal)
    : Promise.resolve({ erasures: 0, expired: 0 });
  return {
    async stop() {
      stopping.abort();
      const attacks = (await attackers?.stop()) ?? {};
      return { steady: await steady.stop(), attacks, ...(await maintenance) };
    },
  };
}

type Ended = { readonly _id: string; readonly receivedAt: Date; readonly finishedAt: Date };

/** The same event, received and ended longer ago than the retention. */
function aged(event: Ended): Ended {
  const [receivedAt, finishedAt] = [event.receivedAt, event.finishedAt].map(
    (at) => new Date(+at - ageMs),
  ) as [Date, Date];
  return { ...event, _id: idReceivedAt(receivedAt, event._id), receivedAt, finishedAt };
}

/** Erases a person of the attackers, and makes their ended events expire, again and again. */
async function maintain({ api, cluster: { db }, targets }: AbuseOptions, signal: AbortSignal) {
  const { channelId, resent, attacked } = targets;
  const events = db.collection<Ended>('events');
  const webhookId = { $in: [resent.id, attacked.id] };
  /** The value of such an identity begins with the id of its webhook. */
  const ofAttackers = new RegExp(`^(?:${resent.id}|${attacked.id}):`);
  let erasures = 0;
  let expired = 0;
  async function once(): Promise<void> {
    const person = await db
      .collection<{ contactId: string }>('identities')
      .findOne({ channelId, kind: 'externalId', value: ofAttackers });
    if (person) {
      await api.callUntilAnswered('POST', `/v1/admin/contacts/${person.contactId}/erase`, {});
      erasures += 1;
    }
    const ended = { webhookId, finishedAt: { $gt: new Date(Date.now() - ageMs) } };
    const found = await events.find(ended, { limit: expiredAtOnce }).toArray();
    const ids = found.map(({ _id }) => _id);
    await events.deleteMany({ ...ended, _id: { $in: ids } });
    // What was revived since it was read keeps its deduplication keys, so that its copy is not inserted.
    const inserted = await events
      .insertMany(found.map(aged), { ordered: false })
      .catch((error: { insertedCount?: number }) => error);
    expired += inserted.insertedCount ?? 0;
    await db
      .collection('retention')
      .updateMany({ token: { $exists: false } }, [
        { $set: { nextAt: { $min: ['$nextAt', '$$NOW'] } } },
      ]);
  }
  while (!signal.aborted) {
    // A fault may stop any of it; the next round continues.
    await once().catch(() => undefined);
    await pause(maintenanceEveryMs, undefined, { signal }).catch(() => undefined);
  }
  return { erasures, expired };
}

/** Returns a sentence for each promise to the steady sender that is broken. */
export async function checkSteadySender(
  { db }: Cluster,
  { steady }: AbuseTargets,
  { steady: { acknowledged, givenUp } }: AbuseResult,
): Promise<string[]> {
  const read = async (name: string, project: string, more = {}) => {
    const found = await db
      .collection(name)
      .find({ webhookId: steady.id, ...more }, { projection: { [project]: 1 } })
      .map((row) => String((row as Record<string, unknown>)[project]))
      .toArray();
    return found;
  };
  const done = new Set(await read('events', '_id', { state: 'done' }));
  const all = await read('events', '_id');
  const messages = await read('messages', '_id');
  const withMessage = new Set(messages);
  const lost = acknowledged.filter((id) => !done.has(id) || !withMessage.has(id));
  return [
    ...(lost.length > 0 ? [`${lost.length} acknowledged events are lost, such as ${lost[0]}`] : []),
    ...(messages.length > withMessage.size
      ? [`${messages.length - withMessage.size} events have two messages`]
      : []),
    ...(new Set(acknowledged).size < acknowledged.length ? ['two events have one id'] : []),
    ...(all.length > acknowledged.length + givenUp
      ? [`${all.length} events of ${acknowledged.length}`]
      : []),
  ];
}

/** Deletes the data of the attackers and of the steady sender, so that what is left is what the ledger explains. */
export async function removeAbuse(
  { db }: Cluster,
  { channelId, ...webhooks }: AbuseTargets,
): Promise<void> {
  const ids = Object.values(webhooks).map(({ id }) => id);
  const own = { $or: [{ channelId }, { webhookId: { $in: ids } }] };
  const names = ['events', 'messages', 'chats', 'identities', 'contacts', 'conflicts'];
  for (const name of names) {
    await db.collection(name).deleteMany(own, { timeoutMS: deleteWithinMs });
  }
}
