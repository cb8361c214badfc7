/** tail and forward: events as they happen. */
import { LRUCache } from 'lru-cache';
import type { Answer, Request } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { webhookIds, type Inlet } from '../connection/connect.ts';
import { parseUrl } from '../connection/contexts.ts';
import { define, required } from '../terminal/define.ts';
import { note, print, printable, printLine, styled } from '../terminal/output.ts';

type Event = NonNullable<Answer<'watchEvents'>['event']>;
type State = Event['state'];
type Change = Answer<'watchEvents'> & { readonly event: Event };
type Query = NonNullable<Request<'watchEvents'>['query']>;
type Following = { readonly query: Query; readonly title: string; readonly signal: AbortSignal };

/** Aborted by Ctrl-C, which is how these commands end. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

async function* changesOf(inlet: Inlet, { query, title, signal }: Following) {
  const onOpen = () => note(`${title} Ctrl-C ends.`);
  const onEnd = () => note('The connection has ended. Connecting again …');
  const options = { signal, onOpen, onEnd };
  for await (const { event, data } of follow(inlet, ['watchEvents', { query }], options)) {
    if (event === 'history_lost')
      note('Inlet no longer has the changes since the interruption: some are missing.');
    if (event === 'change' && data.event) yield { ...data, event: data.event };
  }
}

function printChange({ at, event }: Change): void {
  const { state, reason, externalId, eventType, id, test } = event;
  const colour = state === 'dead' ? 'red' : state === 'done' ? 'green' : 'dim';
  const about = [externalId, eventType, reason, test ? 'test' : null].filter((one) => one !== null);
  const shown = styled(colour, state.padEnd(10));
  print(`${at.slice(11, 23)} ${shown} ${id} ${printable(about.join(' '))}`.trimEnd());
}

/** Of the connection between Inlet and its sender, or set by the request itself. */
const droppedHeaders = new Set(['host', 'content-length', 'content-encoding', 'connection']);
const forwardTimeoutMs = 30_000;

type Copied = { readonly id: string; readonly request: NonNullable<Change['request']> };

async function copyTo(address: string, { id, request }: Copied, signal: AbortSignal) {
  const url = new URL(address);
  for (const [name, value] of Object.entries(request.query)) url.searchParams.append(name, value);
  const kept = Object.entries(request.headers).filter(([name]) => !droppedHeaders.has(name));
  const headers = new Headers(kept);
  if (request.contentType) headers.set('content-type', request.contentType);
  headers.set('inlet-event-id', id);
  const answer = await fetch(url, {
    method: 'POST',
    headers,
    body: Buffer.from(request.body, 'base64'),
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(forwardTimeoutMs)]),
  });
  await answer.body?.cancel();
  return String(answer.status);
}

/** Beyond this many events, one that is replayed would be forwarded again. */
const rememberedEvents = 100_000;

type Forwarding = Following & { readonly to: string; readonly json: boolean };

async function forward(inlet: Inlet, { to, json, ...following }: Forwarding): Promise<void> {
  const { signal } = following;
  const seen = new LRUCache<string, true>({ max: rememberedEvents });
  for await (const { at, event, request } of changesOf(inlet, following)) {
    const { id, externalId } = event;
    // An item of a list has no request of its own; a replay and the end of a pause are no new request.
    if (!request || seen.has(id)) continue;
    seen.set(id, true);
    const answer = await copyTo(to, { id, request }, signal).catch((error: unknown) => {
      const { message, cause = {} } = error as Error;
      const { code, message: reason } = cause as {
        readonly code?: string;
        readonly message?: string;
      };
      return `failed: ${code ?? reason ?? message}`;
    });
    if (json) printLine({ at, id, externalId, answer });
    else print(`${at.slice(11, 23)} ${answer} ${id} ${printable(externalId ?? '')}`.trimEnd());
  }
}

export const liveCommands = [
  define({
    usage: 'tail',
    summary: 'Print events as their state changes, until Ctrl-C',
    more: 'Continues after a restart of the server, without a gap. With --json, one object a line.',
    example: 'inlet tail --webhook CRM --state dead --json',
    options: [
      ['--webhook <name>', 'Of one webhook.'],
      ['--state <states>', 'States, separated by commas.'],
      ['--reason <reasons>', 'Reasons, separated by commas.'],
      ['--type <types>', 'Event types, separated by commas.'],
    ],
    run: async ({ inlet, options, json }) => {
      const query = {
        webhookId: await webhookIds(inlet, options.webhook),
        state: options.state?.split(',') as State[] | undefined,
        reason: options.reason?.split(','),
        eventType: options.type?.split(','),
      };
      const following = { query, title: 'Following events.', signal: untilInterrupted() };
      for await (const change of changesOf(inlet, following)) {
        if (json) printLine(change);
        else printChange(change);
      }
    },
  }),
  define({
    usage: 'forward <webhook>',
    summary: 'Post a copy of each new request of a webhook to an address, until Ctrl-C',
    more:
      'With the body byte for byte and the headers that Inlet stores, and inlet-event-id. Changes nothing: the event is processed ' +
      'as always, and an answer that fails is not retried. Needs the scope operator; the audit log records it.',
    example: 'inlet forward CRM --to http://localhost:3000/webhook',
    options: [['--to <url>', 'Where to post.', required]],
    run: async ({ inlet, args: [wanted], options: { to }, json }) => {
      const webhookId = await webhookIds(inlet, wanted);
      const state: State[] = ['received', 'held'];
      const query = { webhookId, state, request: true, parents: true };
      const title = `Forwarding the events of ${wanted} to ${to}.`;
      parseUrl(to);
      await forward(inlet, { query, title, to, json, signal: untilInterrupted() });
    },
  }),
];
