// Operations of people over the API: pause and resume a webhook, activate a better mapping, remap, and replay dead events.
import type { Api } from '../cluster/retrying-api.ts';
import type { ObservedEvent } from '../checker/observed-state.ts';
import type { Random } from './random.ts';
import { plans, type Targets, type WebhookName } from './webhooks.ts';

export type Operator = {
  /** Dead events as they were before their single replays. */
  readonly deadBeforeReplay: readonly ObservedEvent[];
  pause(webhook: WebhookName): Promise<void>;
  resume(webhook: WebhookName): Promise<void>;
  /** Saves and activates the second version, once. */
  improve(webhook: WebhookName): Promise<void>;
  /** Starts a run that replays all events of a webhook by the newest mapping. */
  remap(webhook: WebhookName): Promise<void>;
  /** Starts a run that replays all dead events. */
  replayAll(): Promise<void>;
  /** Replays up to `limit` dead events that are not poisonous; returns their number. */
  replayDead(limit: number, reasons?: readonly string[]): Promise<number>;
  /** Performs a random one of the operations. */
  actAtRandom(random: Random): Promise<void>;
};

const perSecond = 50;

type Listed = { readonly id: string; readonly reason: string | null };

export function createOperator(api: Api, targets: Targets): Operator {
  const improved = new Set<WebhookName>();
  const deadBeforeReplay: ObservedEvent[] = [];

  const change = (webhook: WebhookName, verb: 'pause' | 'resume') =>
    // 409: it already has this state, perhaps by a request whose answer was lost.
    api.callUntilAnswered('POST', `/v1/admin/webhooks/${targets[webhook].id}/${verb}`, {});

  async function replayDead(limit: number, reasons?: readonly string[]): Promise<number> {
    const { data } = await api.callUntilAnswered<{ results: Listed[] }>(
      'GET',
      `/v1/admin/events?state=dead&per_page=200`,
    );
    const chosen = data.results
      .filter(({ reason }) => !reasons || reasons.some((word) => reason?.startsWith(word)))
      .slice(0, limit);
    let sent = 0;
    for (const { id } of chosen) {
      const { data: event } = await api.callUntilAnswered<ObservedEvent>(
        'GET',
        `/v1/admin/events/${id}`,
      );
      if (event.payload?.poison) continue;
      deadBeforeReplay.push(event);
      await api.callUntilAnswered('POST', `/v1/admin/events/${id}/replay`, {});
      sent += 1;
    }
    return sent;
  }

  const operator: Operator = {
    deadBeforeReplay,
    pause: async (webhook) => void (await change(webhook, 'pause')),
    resume: async (webhook) => void (await change(webhook, 'resume')),
    replayDead,
    async remap(webhook) {
      const filter = { webhookId: targets[webhook].id };
      await api.callUntilAnswered('POST', '/v1/admin/events/replay', {
        filter,
        remap: true,
        perSecond,
      });
    },
    async replayAll() {
      const filter = { state: 'dead' };
      await api.callUntilAnswered('POST', '/v1/admin/events/replay', { filter, perSecond });
    },
    async improve(webhook) {
      if (improved.has(webhook)) return;
      improved.add(webhook);
      const path = `/v1/admin/webhooks/${targets[webhook].id}/mappings`;
      const mapping = plans[webhook].mappings[1];
      // A request whose answer was lost leaves one more version with the same mapping.
      const { data } = await api.callUntilAnswered<{ version: number }>('POST', path, { mapping });
      await api.callUntilAnswered('POST', `${path}/${data.version}/activate`, {});
    },
    async actAtRandom(random) {
      const webhook = random.pick(['form', 'crm', 'shop'] as const);
      const action = random.pick(['replay', 'replay all', 'remap', 'pause', 'resume'] as const);
      if (action === 'replay') await replayDead(random.whole(1, 5));
      else if (action === 'replay all') await operator.replayAll();
      else if (action === 'remap') await operator.remap('crm');
      else if (action === 'pause') await operator.pause(webhook);
      else for (const name of ['form', 'crm', 'shop'] as const) await operator.resume(name);
    },
  };
  return operator;
}
