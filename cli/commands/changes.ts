/** replay and keys rotate. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from '../../client/client.ts';
import { urlReceiver } from '../configuration/apply.ts';
import { findOne, webhookIds, type Inlet } from '../connection/connect.ts';
import { define, type Result } from '../terminal/define.ts';
import { confirm, isInteractive } from '../terminal/input.ts';
import { note, print } from '../terminal/output.ts';

type Filter = NonNullable<NonNullable<Request<'replayEvents'>['body']>['filter']>;
type Replayed = { readonly filter: Filter; readonly remap?: boolean };
const pollMs = 1_000;

/** Returns the number of the events that would be replayed. */
async function countMatches(inlet: Inlet, body: Replayed): Promise<number> {
  const preview = await inlet.call('replayEvents', { body: { ...body, preview: true } });
  const { count, exact, byReason } = preview;
  note(`${exact ? '' : 'At least '}${count} events match.`);
  for (const one of byReason) note(`  ${one.count} ${one.reason ?? 'without a reason'}`);
  return count;
}

async function replay(inlet: Inlet, body: Replayed & { perSecond?: number }): Promise<Result> {
  const begun = await inlet.call('replayEvents', { body });
  const params = { id: (begun as unknown as { id: string }).id };
  let run = await inlet.call('getReplay', { params });
  while (run.state === 'running') {
    if (isInteractive()) note(`${run.replayed} of ${run.total} …`);
    await pause(pollMs);
    run = await inlet.call('getReplay', { params });
  }
  const { state, reason, replayed, skipped } = run;
  const why = `The run is ${state}${reason ? `: ${reason}` : ''}.`;
  return {
    value: run,
    print: () => print(`${replayed} events are replayed, ${skipped} were changed by others first.`),
    failure: state === 'done' ? undefined : why,
  };
}

export const changeCommands = [
  define({
    usage: 'replay',
    summary: 'Count events, ask, replay them, and wait for the end',
    example: 'inlet replay --webhook CRM --reason mapping_failed',
    options: [
      ['--webhook <name>', 'Of one webhook.'],
      ['--reason <reasons>', 'Reasons, separated by commas.'],
      ['--state <states>', 'States, separated by commas.', 'dead'],
      ['--from <time>', 'Received from this time or date on.'],
      ['--to <time>', 'Received until this time or date.'],
      ['--per-second <number>', 'The greatest rate.'],
      ['--remap', 'Also replays done events, and updates their effects.'],
      ['-y, --yes', 'Does not ask.'],
    ],
    run: async ({ inlet, options }) => {
      const { webhook, reason, state, from, to, perSecond, remap, yes } = options;
      const [webhookId] = (await webhookIds(inlet, webhook)) ?? [];
      const states = state.split(',') as Exclude<Filter['state'], string>;
      const filter = { state: states, webhookId, reason: reason?.split(','), from, to };
      const body = { filter, ...(remap && { remap }) } as Replayed;
      if ((await countMatches(inlet, body)) === 0) return undefined;
      await confirm(`Replay them on ${inlet.target.url}?`, yes);
      return replay(inlet, { ...body, ...(perSecond && { perSecond: Number(perSecond) }) });
    },
  }),
  define({
    usage: 'keys rotate <webhook>',
    summary: 'Make a new secret URL; the old one works for some hours more',
    example: 'inlet keys rotate CRM --urls urls.jsonl',
    options: [
      ['--overlap <hours>', 'How long the old URL works, 0 to 168.', '48'],
      ['--urls <file>', 'Appends the URL to a file (mode 0600), instead of printing it.'],
      ['-y, --yes', 'Does not ask.'],
    ],
    run: async ({ inlet, args: [wanted], options: { overlap, urls, yes } }) => {
      const { id, name } = await findOne(inlet, 'listWebhooks', wanted);
      const deliverUrl = urlReceiver(urls, true);
      await confirm(`Rotate the key of ${name}? The old URL works for ${overlap} more hours.`, yes);
      const body = { overlapHours: Number(overlap) };
      const rotated = await inlet.call('rotateWebhookKeys', { params: { id }, body });
      deliverUrl({ webhook: name, id, url: rotated.url });
      note(`The old URL works until ${rotated.previousExpiresAt ?? 'now'}.`);
    },
  }),
];
