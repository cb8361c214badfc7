/** replay and keys rotate. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Request } from '../../client/client.ts';
import { urlReceiver } from '../configuration/apply.ts';
import { findOne, webhookId, type Inlet } from '../connection/connect.ts';
import { define, type Call, type Result } from '../terminal/define.ts';
import { confirm, isInteractive } from '../terminal/input.ts';
import { note, print } from '../terminal/output.ts';

type Filter = NonNullable<NonNullable<Request<'replayEvents'>['body']>['filter']>;
type ReplayOptions = {
  readonly webhook?: string;
  readonly reason?: string;
  readonly state: string;
  readonly from?: string;
  readonly to?: string;
  readonly perSecond?: string;
  readonly remap?: boolean;
  readonly yes?: boolean;
};
const pollMs = 1_000;

async function filterOf(inlet: Inlet, options: ReplayOptions): Promise<Filter> {
  const { webhook, reason, state, from, to } = options;
  return {
    state: state.split(',') as Exclude<Filter['state'], string>,
    ...(webhook !== undefined && { webhookId: await webhookId(inlet, webhook) }),
    ...(reason && { reason: reason.split(',') }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

async function replay({ inlet, options }: Call<ReplayOptions>): Promise<Result | void> {
  const filter = await filterOf(inlet, options);
  const remap = options.remap === true && { remap: true };
  const preview = await inlet.call('replayEvents', { body: { filter, ...remap, preview: true } });
  const { count, exact } = preview;
  note(`${exact ? '' : 'At least '}${count} events match.`);
  for (const one of preview.byReason) note(`  ${one.count} ${one.reason ?? 'without a reason'}`);
  if (count === 0) return;
  await confirm(`Replay them on ${inlet.target.url}?`, options.yes);
  const perSecond = options.perSecond === undefined ? {} : { perSecond: Number(options.perSecond) };
  const begun = await inlet.call('replayEvents', { body: { filter, ...remap, ...perSecond } });
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

type RotateOptions = { readonly overlap: string; readonly urls?: string; readonly yes?: boolean };

async function rotateKey({ inlet, args: [wanted = ''], options }: Call<RotateOptions>) {
  const { overlap, urls, yes } = options;
  const { id, name } = await findOne(inlet, 'listWebhooks', wanted);
  const deliverUrl = urlReceiver(urls, true);
  await confirm(`Rotate the key of ${name}? The old URL works for ${overlap} more hours.`, yes);
  const body = { overlapHours: Number(overlap) };
  const rotated = await inlet.call('rotateWebhookKeys', { params: { id }, body });
  deliverUrl({ webhook: name, id, url: rotated.url });
  note(`The old URL works until ${rotated.previousExpiresAt ?? 'now'}.`);
}

export function addChanges(program: Command): void {
  const replaying = {
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
  } as const;
  define<ReplayOptions>(program, ['replay', replaying], replay);
  const keys = program.command('keys').description('Change the secret URLs of webhooks');
  const rotating = {
    summary: 'Make a new secret URL; the old one works for some hours more',
    example: 'inlet keys rotate CRM --urls urls.jsonl',
    options: [
      ['--overlap <hours>', 'How long the old URL works, 0 to 168.', '48'],
      ['--urls <file>', 'Appends the URL to a file (mode 0600), instead of printing it.'],
      ['-y, --yes', 'Does not ask.'],
    ],
  } as const;
  define<RotateOptions>(keys, ['rotate <webhook>', rotating], rotateKey);
}
