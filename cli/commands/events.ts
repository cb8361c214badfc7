/** event, dead, rejections, replay and keys rotate. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Request } from '../../client/client.ts';
import { openUrlFile, printUrl } from '../configuration/apply.ts';
import { connect, findOne, listAll, type Inlet } from '../connection/connect.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { confirm, isInteractive } from '../terminal/input.ts';
import { note, print, printJson, printRecord, printTable } from '../terminal/output.ts';

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

const webhookId = async (inlet: Inlet, name: string | undefined) =>
  name === undefined ? undefined : (await findOne(inlet, 'listWebhooks', name)).id;

async function showEvent(id: string, _options: unknown, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const event = await connect(globals).call('getEvent', { params: { id } });
  if (json) return printJson(event);
  const { timeline, attemptHistory: _attempts, ...rest } = event;
  printRecord(rest);
  print('');
  printTable(timeline, [
    ['AT', ({ at }) => at],
    ['STATE', ({ state }) => state],
    ['REASON', ({ reason }) => reason],
  ]);
}

async function showDead({ webhook }: { webhook?: string }, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const inlet = connect(globals);
  const id = await webhookId(inlet, webhook);
  const query = { per_page: 200, ...(id && { webhookId: [id] }) };
  const { results } = await inlet.call('listDeadLetters', { query });
  if (json) return printJson(results);
  const names = new Map((await listAll(inlet, 'listWebhooks')).map((one) => [one.id, one.name]));
  printTable(results, [
    ['COUNT', ({ count }) => count],
    ['WEBHOOK', (one) => names.get(one.webhookId) ?? one.webhookId],
    ['REASON', ({ reason }) => reason],
    ['LAST', ({ lastFinishedAt }) => lastFinishedAt],
    ['WHAT TO DO', ({ action }) => action.text],
  ]);
}

async function showRejections(wanted: string, _options: unknown, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const inlet = connect(globals);
  const { id } = await findOne(inlet, 'listWebhooks', wanted);
  const query = { per_page: 100 };
  const { results } = await inlet.call('listWebhookRejections', { params: { id }, query });
  if (json) return printJson(results);
  printTable(results, [
    ['AT', ({ receivedAt }) => receivedAt],
    ['CODE', ({ code }) => code],
    ['ADDRESS', ({ address }) => address],
    ['BYTES', ({ bytes }) => bytes],
    ['DETAIL', ({ detail, message }) => detail ?? message],
  ]);
}

async function filterOf(
  inlet: Inlet,
  { webhook, reason, state, from, to }: ReplayOptions,
): Promise<Filter> {
  const id = await webhookId(inlet, webhook);
  return {
    state: state.split(',') as Exclude<Filter['state'], string>,
    ...(id && { webhookId: id }),
    ...(reason && { reason: reason.split(',') }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

async function replay(options: ReplayOptions, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const inlet = connect(globals);
  const filter = await filterOf(inlet, options);
  const remap = options.remap === true && { remap: true };
  const preview = await inlet.call('replayEvents', { body: { filter, ...remap, preview: true } });
  const { count, exact } = preview;
  note(`${exact ? '' : 'At least '}${count} events match.`);
  for (const one of preview.byReason) note(`  ${one.count} ${one.reason ?? 'without a reason'}`);
  if (count === 0) return;
  await confirm(`Replay them on ${inlet.target.url}?`, options.yes ?? false);
  const perSecond = options.perSecond === undefined ? {} : { perSecond: Number(options.perSecond) };
  const begun = await inlet.call('replayEvents', { body: { filter, ...remap, ...perSecond } });
  const params = { id: (begun as unknown as { id: string }).id };
  let run = await inlet.call('getReplay', { params });
  while (run.state === 'running') {
    if (isInteractive()) note(`${run.replayed} of ${run.total} …`);
    await pause(pollMs);
    run = await inlet.call('getReplay', { params });
  }
  if (json) printJson(run);
  else print(`${run.replayed} events are replayed, ${run.skipped} were changed by others first.`);
  if (run.state !== 'done')
    throw new CommandFailure(`The run is ${run.state}${run.reason ? `: ${run.reason}` : ''}.`);
}

type RotateOptions = { readonly overlap: string; readonly urls?: string; readonly yes?: boolean };

async function rotateKey(
  wanted: string,
  { overlap, urls, yes = false }: RotateOptions,
  command: Command,
) {
  const inlet = connect(globalsOf(command));
  const { id, name } = await findOne(inlet, 'listWebhooks', wanted);
  if (urls === undefined && !process.stdout.isTTY) {
    throw new CommandFailure(
      'The new secret URL is given once. Name a file for it with --urls <file>.',
      'usage',
    );
  }
  const giveUrl = urls === undefined ? printUrl : openUrlFile(urls);
  await confirm(`Rotate the key of ${name}? The old URL works for ${overlap} more hours.`, yes);
  const body = { overlapHours: Number(overlap) };
  const { url, previousExpiresAt } = await inlet.call('rotateWebhookKeys', {
    params: { id },
    body,
  });
  giveUrl({ webhook: name, id, url });
  note(`The old URL works until ${previousExpiresAt ?? 'now'}.`);
}

export function addEventCommands(program: Command): void {
  define(program, 'event <id>', {
    summary: 'Show an event with its payload, effects and history; credentials are masked',
    example: 'inlet event 0198c2f5-0c44-7aa1-b3d7-6e1f2a9b8c70',
  }).action(showEvent);
  define(program, 'dead', {
    summary: 'List the dead letters by webhook and reason, with what to do',
    example: 'inlet dead --webhook CRM',
  })
    .option('--webhook <name>', 'Of one webhook.')
    .action(showDead);
  define(program, 'rejections <webhook>', {
    summary: 'List the last requests of a webhook that were not accepted',
    example: 'inlet rejections CRM',
  }).action(showRejections);
  define(program, 'replay', {
    summary: 'Count events, ask, replay them, and wait for the end',
    example: 'inlet replay --webhook CRM --reason mapping_failed',
  })
    .option('--webhook <name>', 'Of one webhook.')
    .option('--reason <reasons>', 'Reasons, separated by commas.')
    .option('--state <states>', 'States, separated by commas.', 'dead')
    .option('--from <time>', 'Received from this time or date on.')
    .option('--to <time>', 'Received until this time or date.')
    .option('--per-second <number>', 'The greatest rate.')
    .option('--remap', 'Also replays done events, and updates their effects.')
    .option('-y, --yes', 'Does not ask.')
    .action(replay);
  const keys = program.command('keys').description('Change the secret URLs of webhooks');
  define(keys, 'rotate <webhook>', {
    summary: 'Make a new secret URL; the old one works for some hours more',
    example: 'inlet keys rotate CRM --urls urls.jsonl',
  })
    .option('--overlap <hours>', 'How long the old URL works, 0 to 168.', '48')
    .option('--urls <file>', 'Appends the URL to a file (mode 0600), instead of printing it.')
    .option('-y, --yes', 'Does not ask.')
    .action(rotateKey);
}
