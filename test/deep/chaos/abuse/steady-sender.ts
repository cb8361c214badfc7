// A helper process: a well-behaved sender that posts new events at a constant rate, measures the time to each answer, and
// sends again what was not acknowledged.
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { runHelper } from './helper-process.ts';
import { post } from './post.ts';

export type SteadyOptions = {
  readonly urls: readonly string[];
  readonly key: string;
  readonly perSecond: number;
};

export type SteadyResult = {
  /** The event ids of the acknowledged events. */
  readonly acknowledged: readonly string[];
  /** Milliseconds to each answer of any status. */
  readonly answerMs: readonly number[];
  /** The number of requests by status, or by error code where there was no answer. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Events that no try got acknowledged. */
  readonly givenUp: number;
};

const maxTries = 20;
const retryMs = 500;
const people = 500;
const maxBehindMs = 1_000;

/** Without a limit of sockets, so that a slow answer delays no other request. */
const agent = new Agent({ keepAlive: true });

await runHelper<SteadyOptions, SteadyResult>(async ({ urls, key, perSecond }, signal) => {
  const acknowledged: string[] = [];
  const answerMs: number[] = [];
  const outcomes: Record<string, number> = {};
  let givenUp = 0;

  async function send(number: number): Promise<void> {
    const person = number % people;
    const body = JSON.stringify({
      id: `steady-${number}`,
      person: `steady-person-${person}`,
      name: `Person ${person}`,
      phone: `+55119${String(70_000_000 + person)}`,
      text: `steady ${number}`,
    });
    for (let tries = 0; tries < maxTries; tries += 1) {
      const url = `${urls[(number + tries) % urls.length] ?? ''}/v1/webhook/${key}`;
      const startedAt = performance.now();
      const { outcome, text } = await post(agent, { url, body });
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      if (/^\d/.test(outcome)) answerMs.push(performance.now() - startedAt);
      if (outcome === '200') {
        const { data } = JSON.parse(text) as { data: { eventId: string } };
        return void acknowledged.push(data.eventId);
      }
      await pause(retryMs);
    }
    givenUp += 1;
  }

  const sending = new Set<Promise<void>>();
  let dueAt = performance.now();
  for (let number = 0; !signal.aborted; number += 1) {
    dueAt += 1_000 / perSecond;
    const behindMs = performance.now() - dueAt;
    // After a pause of the machine it does not send all at once what it missed.
    if (behindMs > maxBehindMs) dueAt += behindMs;
    else if (behindMs < 0) await pause(-behindMs);
    const sent = send(number).finally(() => sending.delete(sent));
    sending.add(sent);
  }
  await Promise.all(sending);
  return { acknowledged, answerMs, outcomes, givenUp };
});
