// Events of one webhook, from the request to the message, while something fails.
import { leadMapping } from '../context/test-context.ts';
import { waitForValue, type Webhook } from './client.ts';
import type { Deployment } from './roles.ts';

export async function startTraffic({ client, db }: Deployment) {
  const webhook: Webhook = await client.addActiveWebhook(leadMapping);
  const ids: string[] = [];
  let sent = 0;

  const body = (n: number) => ({
    id: `traffic-${n}`,
    text: `message ${n}`,
    lead: { id: `p${n % 7}`, name: `Person ${n % 7}` },
  });
  const deliver = (n: number) => client.deliver(webhook.key, body(n));

  /** Posts one more event. Throws unless it is acknowledged. */
  async function post(): Promise<string> {
    const answer = await deliver(sent++);
    if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
    const id = answer.data.eventId ?? '';
    ids.push(id);
    return id;
  }

  const messages = db.collection<{ _id: string }>('messages');
  const events = db.collection<{ _id: string; state: string }>('events');
  return {
    webhook,
    post,
    async postMany(count: number): Promise<void> {
      for (let n = 0; n < count; n += 1) await post();
    },
    /** Waits until all acknowledged events are done, each with exactly one message, and a resend of the first is a duplicate. */
    async ends(): Promise<void> {
      const isDone = async () =>
        (await events.countDocuments({ _id: { $in: ids }, state: 'done' })) === ids.length;
      await waitForValue(
        'all acknowledged events are done',
        async () => (await isDone()) || undefined,
      );
      const found = await messages.find({ _id: { $in: ids } }).toArray();
      if (found.length !== ids.length || new Set(ids).size !== ids.length)
        throw new Error(`${ids.length} events have ${found.length} messages`);
      const again = await deliver(0);
      if (again.data.duplicate !== true) throw new Error(`no duplicate: ${again.text}`);
    },
    /** Posts until an event that was posted after this call is done. Returns the time it took, in milliseconds. */
    async flows(): Promise<number> {
      const startedMs = performance.now();
      const probe = await post();
      await waitForValue('an event is done', async () =>
        (await events.findOne({ _id: probe }))?.state === 'done' ? true : undefined,
      );
      return performance.now() - startedMs;
    },
  };
}
