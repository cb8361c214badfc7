/** tail and forward: events as they happen. */
import type { Command } from 'commander';
import { LRUCache } from 'lru-cache';
import type { Event } from '../../client/operations.ts';
import { connect, findOne, type Inlet } from '../connection/connect.ts';
import { followEvents, type LiveEvent } from '../connection/live.ts';
import { parseUrl } from '../connection/contexts.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { note, print, printable, printLine, styled } from '../terminal/output.ts';

type State = Event['state'];
type TailOptions = {
  readonly webhook?: string;
  readonly state?: string;
  readonly reason?: string;
  readonly type?: string;
};

/** Aborted by Ctrl-C, which is how these commands end. */
function untilInterrupted(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

const list = (text: string | undefined): string[] | undefined => text?.split(',');

const idOfWebhook = async (
  inlet: Inlet,
  wanted: string | undefined,
): Promise<string[] | undefined> =>
  wanted === undefined ? undefined : [(await findOne(inlet, 'listWebhooks', wanted)).id];

function printChange({ at, event }: LiveEvent): void {
  const { state, reason, externalId, eventType, id, test } = event;
  const colour = state === 'dead' ? 'red' : state === 'done' ? 'green' : 'dim';
  const about = [externalId, eventType, reason, test ? 'test' : null].filter((one) => one !== null);
  const shown = styled(colour, state.padEnd(10));
  print(`${at.slice(11, 23)} ${shown} ${id} ${printable(about.join(' '))}`.trimEnd());
}

async function tail(options: TailOptions, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const inlet = connect(globals);
  const query = {
    webhookId: await idOfWebhook(inlet, options.webhook),
    state: list(options.state) as State[] | undefined,
    reason: list(options.reason),
    eventType: list(options.type),
  };
  const onOpen = () => note('Following events. Ctrl-C ends.');
  for await (const change of followEvents(inlet, { query, signal: untilInterrupted(), onOpen })) {
    if (json) printLine(change);
    else printChange(change);
  }
}

/** Of the connection between Inlet and its sender, or set by the request itself. */
const droppedHeaders = new Set(['host', 'content-length', 'content-encoding', 'connection']);
const forwardTimeoutMs = 30_000;

async function copyTo(
  address: string,
  { event, request }: LiveEvent,
  signal: AbortSignal,
): Promise<string> {
  if (!request) return 'no body is stored';
  const url = new URL(address);
  for (const [name, value] of Object.entries(request.query)) url.searchParams.append(name, value);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (!droppedHeaders.has(name)) headers.set(name, value);
  }
  if (request.contentType) headers.set('content-type', request.contentType);
  headers.set('inlet-event-id', event.id);
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

async function forward(
  wanted: string,
  { to }: { readonly to: string },
  command: Command,
): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  parseUrl(to);
  const inlet = connect(globals);
  const signal = untilInterrupted();
  const webhookId = await idOfWebhook(inlet, wanted);
  const query = { webhookId, state: ['received', 'held'] as State[], request: true, parents: true };
  const onOpen = () => note(`Forwarding the events of ${wanted} to ${to}. Ctrl-C ends.`);
  const seen = new LRUCache<string, true>({ max: rememberedEvents });
  for await (const change of followEvents(inlet, { query, signal, onOpen })) {
    const { id, externalId } = change.event;
    // An item of a list has no request of its own; a replay and the end of a pause are no new request.
    if (!change.request || seen.has(id)) continue;
    seen.set(id, true);
    const answer = await copyTo(to, change, signal).catch((error: unknown) => {
      const { message, cause } = error as Error;
      return `failed: ${(cause as { code?: string } | undefined)?.code ?? message}`;
    });
    if (json) printLine({ at: change.at, id, externalId, answer });
    else
      print(`${change.at.slice(11, 23)} ${answer} ${id} ${printable(externalId ?? '')}`.trimEnd());
  }
}

export function addLiveCommands(program: Command): void {
  define(program, 'tail', {
    summary: 'Print events as their state changes, until Ctrl-C',
    more: 'Goes on after a restart of the server, without a gap. With --json, one object a line.',
    example: 'inlet tail --webhook CRM --state dead --json',
  })
    .option('--webhook <name>', 'Of one webhook.')
    .option('--state <states>', 'States, separated by commas.')
    .option('--reason <reasons>', 'Reasons, separated by commas.')
    .option('--type <types>', 'Event types, separated by commas.')
    .action(tail);
  define(program, 'forward <webhook>', {
    summary: 'Post a copy of each new request of a webhook to an address, until Ctrl-C',
    more:
      'With the body byte for byte and the headers that Inlet stores, and inlet-event-id. Changes nothing: the event is processed ' +
      'as always, and an answer that fails is not retried. Needs the scope operator; the audit log records it.',
    example: 'inlet forward CRM --to http://localhost:3000/webhook',
  })
    .requiredOption('--to <url>', 'Where to post.')
    .action(forward);
}
