// A target of notices that fails often, and the invariant of what it received.
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Breach } from '../checker/breach.ts';
import type { Api } from '../cluster/retrying-api.ts';
import type { Client } from '../../support/processes/client.ts';
import type { InjectedFault } from '../load/ledger.ts';
import type { Random } from '../load/random.ts';
import { startHttp, type Arrival, type DestinationFault } from './stand-ins.ts';

const signingSecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

type NoticePost = {
  readonly id: string;
  readonly isSigned: boolean;
  readonly notices: readonly {
    readonly id: string;
    readonly change: string;
    readonly openedAt: string;
  }[];
};

export type NoticeFacts = {
  readonly arrivals: readonly Arrival[];
  readonly posts: readonly NoticePost[];
  readonly deliveries: readonly {
    readonly id: string;
    readonly state: string;
    readonly reason: string | null;
  }[];
  readonly notices: readonly {
    readonly id: string;
    readonly state: string;
    readonly openedAt: string;
  }[];
  readonly faults: readonly InjectedFault[];
};

/** What happens to the request after an arrival, at random. */
const behaviors: readonly (DestinationFault | null)[] = [
  null,
  null,
  null,
  'drop',
  'hang',
  'slow',
  'broken',
];

export type NoticeTarget = Awaited<ReturnType<typeof createNoticeTarget>>;

export async function createNoticeTarget(client: Client, random: Random) {
  let isHealed = false;
  const standIn = await startHttp(
    () => standIn.behave(isHealed ? null : random.pick(behaviors)),
    ({ headers, body: { id } }) => ({
      text: id,
      recipient: '',
      messageId: String(headers['idempotency-key']),
      externalId: null,
    }),
  );
  const { id: targetId } = await client.call('createNoticesTarget', {
    body: { name: 'chaos', kind: 'webhook', settings: { ...standIn.settings, signingSecret } },
  });
  const verifier = new StandardWebhook(signingSecret);

  /** The time is not checked: faults change the clocks of workers. */
  function isSigned(headers: Readonly<Record<string, unknown>>, body: unknown): boolean {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
    const must = verifier.sign(String(headers['webhook-id']), at, JSON.stringify(body));
    return headers['webhook-signature'] === must;
  }

  return {
    /** Ends the faults of the target. */
    heal(): void {
      isHealed = true;
      standIn.behave(null);
    },

    /** Forgets what arrived. */
    forget(): void {
      standIn.arrivals.length = 0;
      standIn.posts.length = 0;
    },

    async observe(api: Api, faults: readonly InjectedFault[]): Promise<NoticeFacts> {
      const deliveries = await api.all<NoticeFacts['deliveries'][number]>(
        `/v1/admin/notices/deliveries?targetId=${targetId}`,
      );
      const notices = await api.all<NoticeFacts['notices'][number]>('/v1/admin/notices');
      return {
        arrivals: standIn.arrivals,
        posts: standIn.posts.map(({ headers, body }) => ({
          ...(body as unknown as Omit<NoticePost, 'isSigned'>),
          isSigned: isSigned(headers, body),
        })),
        deliveries: deliveries.results,
        notices: notices.results,
        faults,
      };
    },

    close: () => standIn.close(),
  };
}

/** Each notice is sent once, signed. A delivery arrives again only after an attempt whose answer was lost. */
export function findNoticeBreaches({
  arrivals,
  posts,
  deliveries,
  notices,
  faults,
}: NoticeFacts): Breach[] {
  const breaches: string[] = [];
  const ids = new Set(deliveries.map(({ id }) => id));
  for (const { id, state, reason } of deliveries) {
    const mine = arrivals.filter(({ text }) => text === id);
    if (state !== 'delivered') breaches.push(`the delivery ${id} is ${state} (${String(reason)})`);
    else if (mine.length === 0) breaches.push(`the delivery ${id} did not arrive`);
    for (const [index, arrival] of mine.entries()) {
      if (arrival.messageId !== id) breaches.push(`${id} arrived under another key`);
      const next = mine[index + 1];
      if (next && arrival.isAnswered && !isFaulty(faults, arrival.at, next.at))
        breaches.push(`the delivery ${id} arrived again although its arrival was answered`);
    }
  }
  for (const { id, isSigned } of posts) {
    if (!ids.has(id)) breaches.push(`the delivery ${id} arrived, and Inlet has none`);
    if (!isSigned) breaches.push(`the delivery ${id} is not signed`);
  }
  return [...breaches, ...sentOnce({ posts, notices })].map((what) => ({ what }));
}

const isFaulty = (faults: readonly InjectedFault[], from: number, until: number): boolean =>
  faults.some((fault) => fault.mayCostLease && fault.from <= until && fault.until >= from);

function sentOnce({ posts, notices }: Pick<NoticeFacts, 'posts' | 'notices'>): string[] {
  /** The deliveries that tell of each change. */
  const sent = new Map<string, Set<string>>();
  for (const { id, notices: listed } of posts) {
    for (const { id: noticeId, change, openedAt } of listed) {
      const key = `${change} ${noticeId} ${openedAt}`;
      sent.set(key, (sent.get(key) ?? new Set()).add(id));
    }
  }
  const repeated = [...sent].flatMap(([key, { size }]) =>
    size > 1 && /^(?:opened|resolved) /.test(key) ? [`"${key}" is in ${size} deliveries`] : [],
  );
  const lost = notices.flatMap(({ id, state, openedAt }) => {
    const change = state === 'open' ? 'opened' : 'resolved';
    return sent.has(`${change} ${id} ${openedAt}`) ? [] : [`"${change} ${id}" was not sent`];
  });
  return [...repeated, ...lost];
}
