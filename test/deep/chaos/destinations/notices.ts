// Targets of notices that fail often, and the invariant of what they received: a signed webhook, and a mail by SMTP.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Breach } from '../checker/breach.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Api } from '../cluster/retrying-api.ts';
import type { Client } from '../../../support/processes/client.ts';
import type { InjectedFault } from '../load/ledger.ts';
import type { Random } from '../load/random.ts';
import {
  startHttp,
  startMail,
  type Arrival,
  type DestinationFault,
  type StandIn,
} from './stand-ins.ts';

const signingSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/** A notice in a delivery. */
type Told = {
  readonly noticeId: string;
  readonly change: string;
  readonly openedAt: string;
};

type ObservedNoticeDelivery = {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  /** As the database has them. */
  readonly entries: readonly Told[];
  readonly more: number;
};

type TargetFacts = {
  readonly name: string;
  readonly arrivals: readonly Arrival[];
  /** What is wrong with the form of what arrived. */
  readonly malformed: readonly string[];
  readonly deliveries: readonly ObservedNoticeDelivery[];
};

export type NoticeFacts = {
  readonly targets: readonly TargetFacts[];
  readonly notices: readonly {
    readonly id: string;
    readonly state: string;
    readonly openedAt: string;
  }[];
  readonly faults: readonly InjectedFault[];
};

/** How a target behaves for a while, at random. */
const behaviors: readonly (DestinationFault | null)[] = [
  null,
  null,
  null,
  'drop',
  'hang',
  'slow',
  'broken',
];
const behaviorMs = 700;

export type NoticeTargets = Awaited<ReturnType<typeof createNoticeTargets>>;

type Target = {
  readonly name: string;
  readonly id: string;
  readonly standIn: StandIn;
  /** Returns what is wrong with the form of what arrived. */
  readonly malformed: (deliveries: readonly ObservedNoticeDelivery[]) => string[];
  readonly forget: () => void;
};

export async function createNoticeTargets(client: Client, random: Random) {
  const targets = await Promise.all([createWebhookTarget(client), createMailTarget(client)]);
  let faults: NodeJS.Timeout | undefined;

  function heal(): void {
    clearInterval(faults);
    for (const { standIn } of targets) standIn.behave(null);
  }

  return {
    /** The targets fail at random, until they are healed. */
    fail(): void {
      faults = setInterval(() => {
        for (const { standIn } of targets) standIn.behave(random.pick(behaviors));
      }, behaviorMs);
    },

    /** Ends the faults. */
    heal,

    /** Forgets what arrived. */
    forget(): void {
      for (const { standIn, forget } of targets) {
        standIn.arrivals.length = 0;
        forget();
      }
    },

    async observe(
      api: Api,
      { db }: Pick<Cluster, 'db'>,
      injected: readonly InjectedFault[],
    ): Promise<NoticeFacts> {
      const notices = await api.all<NoticeFacts['notices'][number]>('/v1/admin/notices');
      const seen: TargetFacts[] = [];
      for (const { name, id, standIn, malformed } of targets) {
        const deliveries = await readDeliveries(api, db, id);
        const { arrivals } = standIn;
        seen.push({ name, arrivals, malformed: malformed(deliveries), deliveries });
      }
      return { targets: seen, notices: notices.results, faults: injected };
    },

    async close(): Promise<void> {
      heal();
      await Promise.all(targets.map(({ standIn }) => standIn.close()));
    },
  };
}

async function createWebhookTarget(client: Client): Promise<Target> {
  const standIn = await startHttp(
    () => undefined,
    ({ headers, body: { id } }) => ({
      text: id,
      recipient: '',
      messageId: String(headers['idempotency-key']),
      externalId: null,
    }),
  );
  const { id } = await client.call('createNoticesTarget', {
    body: { name: 'hook', kind: 'webhook', settings: { ...standIn.settings, signingSecret } },
  });
  const verifier = new StandardWebhook(signingSecret);

  /** The time is not checked: faults change the clocks of workers. */
  function isSigned(headers: Readonly<Record<string, unknown>>, body: unknown): boolean {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const must = verifier.sign(String(headers['webhook-id']), at, JSON.stringify(body));
    return headers['webhook-signature'] === must;
  }

  return {
    name: 'hook',
    id,
    standIn,
    malformed: (deliveries) =>
      standIn.posts.flatMap(({ headers, body }) => {
        const { id: own, notices } = body as unknown as {
          readonly id: string;
          readonly notices: readonly { id: string; change: string; openedAt: string }[];
        };
        const told = notices.map(({ id: noticeId, ...rest }) => keyOf({ noticeId, ...rest }));
        const must = deliveries.find((one) => one.id === own)?.entries.map(keyOf);
        return [
          ...(isSigned(headers, body) ? [] : [`${own} is not signed`]),
          ...(headers['idempotency-key'] === own ? [] : [`${own} arrived under another key`]),
          ...(String(told) === String(must) ? [] : [`${own} does not tell what it must`]),
        ];
      }),
    forget: () => void (standIn.posts.length = 0),
  };
}

const mailAddress = 'on-call@example.org';

async function createMailTarget(client: Client): Promise<Target> {
  const standIn = await startMail(() => undefined);
  const { id } = await client.call('createNoticesTarget', {
    body: { name: 'mail', kind: 'email', settings: { ...standIn.settings, to: mailAddress } },
  });
  return {
    name: 'mail',
    id,
    standIn,
    malformed: (deliveries) =>
      standIn.arrivals.flatMap(({ messageId, recipient, text }) => {
        const delivery = deliveries.find((one) => one.id === messageId);
        const must = delivery && delivery.entries.length + Math.min(delivery.more, 1);
        return [
          ...(recipient === mailAddress ? [] : [`${messageId} arrived at ${recipient}`]),
          // A paragraph for each notice, and one for the number of those that are not listed.
          ...(text.split('\r\n\r\n').length === must ? [] : [`${messageId} lacks notices`]),
        ];
      }),
    forget: () => undefined,
  };
}

type Stored = {
  readonly _id: string;
  readonly more: number;
  readonly entries: readonly (Omit<Told, 'openedAt'> & { readonly openedAt: Date })[];
};

/** The deliveries by the API, with the notices that only the database has. */
async function readDeliveries(
  api: Api,
  db: Cluster['db'],
  targetId: string,
): Promise<ObservedNoticeDelivery[]> {
  const { results } = await api.all<Omit<ObservedNoticeDelivery, 'entries' | 'more'>>(
    `/v1/admin/notices/deliveries?targetId=${targetId}`,
  );
  const where = { channelId: targetId };
  const stored = await db.collection<Stored>('notice_deliveries').find(where).toArray();
  const storedBy = new Map(stored.map((one) => [one._id, one]));
  return results.map(({ id, state, reason }) => ({
    id,
    state,
    reason,
    more: storedBy.get(id)?.more ?? 0,
    entries: (storedBy.get(id)?.entries ?? []).map(({ noticeId, change, openedAt }) => ({
      noticeId,
      change,
      openedAt: openedAt.toISOString(),
    })),
  }));
}

const keyOf = ({ change, noticeId, openedAt }: Told): string => `${change} ${noticeId} ${openedAt}`;

/** Each target is told each notice once. A delivery arrives again only under its id, after an attempt whose answer was lost. */
export const findNoticeBreaches = ({ targets, notices, faults }: NoticeFacts): Breach[] =>
  targets.flatMap((target) =>
    [
      ...target.malformed,
      ...arrivedRightly(target, faults),
      ...toldOnce(target.deliveries, notices),
    ].map((what) => ({ what: `${target.name}: ${what}` })),
  );

function arrivedRightly(
  { arrivals, deliveries }: TargetFacts,
  faults: readonly InjectedFault[],
): string[] {
  const breaches: string[] = [];
  const ids = new Set(deliveries.map(({ id }) => id));
  for (const { id, state, reason } of deliveries) {
    const mine = arrivals.filter(({ messageId }) => messageId === id);
    if (state !== 'delivered') breaches.push(`the delivery ${id} is ${state} (${String(reason)})`);
    else if (mine.length === 0) breaches.push(`the delivery ${id} did not arrive`);
    for (const [index, arrival] of mine.entries()) {
      const next = mine[index + 1];
      if (next && arrival.isAnswered && !isFaulty(faults, arrival.at, next.at))
        breaches.push(`the delivery ${id} arrived again although its arrival was answered`);
    }
  }
  for (const { messageId } of arrivals)
    if (messageId === null || !ids.has(messageId))
      breaches.push(`the delivery ${String(messageId)} arrived, and Inlet has none`);
  return breaches;
}

const isFaulty = (faults: readonly InjectedFault[], from: number, until: number): boolean =>
  faults.some((fault) => fault.mayCostLease && fault.from <= until && fault.until >= from);

/** Of the deliveries of a target, which have all arrived. */
function toldOnce(
  deliveries: readonly ObservedNoticeDelivery[],
  notices: NoticeFacts['notices'],
): string[] {
  const told = deliveries.flatMap(({ entries }) => entries.map(keyOf));
  const counts = new Map<string, number>();
  for (const key of told) counts.set(key, (counts.get(key) ?? 0) + 1);
  const repeated = [...counts].flatMap(([key, count]) =>
    count > 1 && /^(?:opened|resolved) /.test(key) ? [`"${key}" is in ${count} deliveries`] : [],
  );
  const lost = notices.flatMap(({ id: noticeId, state, openedAt }) => {
    const change = state === 'open' ? 'opened' : 'resolved';
    const key = keyOf({ change, noticeId, openedAt });
    return counts.has(key) ? [] : [`"${key}" was not sent`];
  });
  return [...repeated, ...lost];
}
