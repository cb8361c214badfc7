/** send: a test event, or a real request to the secret URL. */
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { post } from '../../client/post.ts';
import { connect, findOne, type Inlet } from '../connection/connect.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { readInput, readSecret } from '../terminal/input.ts';
import { printJson, printRecord } from '../terminal/output.ts';
import { signatureHeaders } from './sign.ts';

type SendOptions = {
  readonly file?: string;
  readonly sample?: string;
  readonly type: string;
  readonly live?: boolean;
  readonly sign?: boolean;
};

const finalStates = new Set(['done', 'ignored', 'dead', 'discarded']);
const pollMs = 500;
const waitMs = 60_000;

async function readBody(file: string): Promise<Buffer> {
  if (file === '-') return readInput();
  try {
    return readFileSync(file);
  } catch {
    throw new CommandFailure(`The file ${file} cannot be read.`, 'usage');
  }
}

async function sendTest(inlet: Inlet, id: string, { file, sample, type }: SendOptions) {
  const bytes = file === undefined ? undefined : await readBody(file);
  const payload = bytes && { rawBody: bytes.toString('utf8'), contentType: type };
  const body = { ...(payload && { payload }), ...(sample !== undefined && { sampleId: sample }) };
  let event = await inlet.call('createWebhookTestEvent', { params: { id }, body });
  for (const endAt = Date.now() + waitMs; Date.now() < endAt && !finalStates.has(event.state);) {
    await pause(pollMs);
    event = await inlet.call('getWebhookTestEvent', { params: { id, eventId: event.eventId } });
  }
  return event;
}

/** The URL is a secret: it comes from the environment, standard input or a question. */
async function secretUrl(inlet: Inlet): Promise<string> {
  const url = process.env.INLET_WEBHOOK_URL || (await readSecret('Secret URL of the webhook'));
  if (!URL.canParse(url)) throw new CommandFailure('That is no URL.', 'usage');
  if (new URL(url).host === new URL(inlet.target.url).host) return url;
  throw new CommandFailure('The secret URL is of another installation.', 'usage');
}

async function sendLive(inlet: Inlet, id: string, { file, type, sign }: SendOptions) {
  if (file === undefined) throw new CommandFailure('--live needs a file: -f <file>.', 'usage');
  if (file === '-' && !process.env.INLET_WEBHOOK_URL) {
    throw new CommandFailure(
      'Standard input is the body: put the URL into INLET_WEBHOOK_URL.',
      'usage',
    );
  }
  const body = await readBody(file);
  const url = await secretUrl(inlet);
  const secret = process.env.INLET_WEBHOOK_SECRET;
  if (sign && !secret)
    throw new CommandFailure('Put the secret into INLET_WEBHOOK_SECRET.', 'usage');
  const settings = sign ? await inlet.call('getWebhookSettings', { params: { id } }) : null;
  const headers =
    settings && secret ? await signatureHeaders(inlet, settings, { body, url, secret }) : {};
  return post(url, new Uint8Array(body), { contentType: type, headers });
}

async function send(wanted: string, options: SendOptions, command: Command): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  if ((options.file === undefined) === (options.sample === undefined)) {
    throw new CommandFailure('Give either -f <file> or --sample <id>.', 'usage');
  }
  const inlet = connect(globals);
  const { id } = await findOne(inlet, 'listWebhooks', wanted);
  const result = await (options.live ? sendLive : sendTest)(inlet, id, options);
  if (json) printJson(result);
  else printRecord(result);
  if ('state' in result && result.state !== 'done' && result.state !== 'ignored') {
    throw new CommandFailure(
      `The test event is ${result.state}${result.reason ? `: ${result.reason}` : ''}.`,
    );
  }
}

export function addSendCommand(program: Command): void {
  define(program, 'send <webhook>', {
    summary: 'Send a payload: as a test event, or with --live to the secret URL',
    more:
      'A test event and its contact, chat and message are marked, and use the newest mapping. With --live the URL is read from ' +
      'INLET_WEBHOOK_URL or standard input, and what Inlet turns away for now is sent again.',
    example: 'inlet send CRM -f lead.json\ninlet send CRM -f lead.json --live --sign < url.txt',
  })
    .option('-f, --file <file>', 'The payload; - for standard input.')
    .option('--sample <id>', 'A stored sample, as a test event.')
    .option('--type <type>', 'The content type.', 'application/json')
    .option('--live', 'Sends a real request.')
    .option('--sign', 'Signs it by the settings of the webhook, with INLET_WEBHOOK_SECRET.')
    .action(send);
}
