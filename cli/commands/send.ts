/** send: a test event, or a real request to the secret URL. */
import { setTimeout as pause } from 'node:timers/promises';
import { post } from '../../client/post.ts';
import { signRequest, type SignatureScheme } from '../../client/sign.ts';
import { findOne, type Inlet } from '../connection/connect.ts';
import { define, record } from '../terminal/define.ts';
import { misuse } from '../terminal/failure.ts';
import { readFile, readInput, readSecret } from '../terminal/input.ts';

type SendOptions = Readonly<Record<'file' | 'sample' | 'as', string | undefined>> & {
  readonly type: string;
  readonly sign: boolean | undefined;
};
type Payload = {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
};

type Sample = Pick<Payload, 'contentType' | 'headers'>;

const finalStates = new Set(['done', 'ignored', 'dead', 'discarded']);
const pollMs = 500;
const waitMs = 60_000;

/** What the file has, or what the producer sends; null for a stored sample. */
async function payloadOf(inlet: Inlet, { file, as, type }: SendOptions): Promise<Payload | null> {
  if (file !== undefined) {
    const bytes = file === '-' ? await readInput() : readFile(file);
    return { body: new Uint8Array(bytes), contentType: type, headers: {} };
  }
  if (as === undefined) return null;
  const { producers } = await inlet.call('getProducers', {});
  const sample = producers.find(({ name }) => name === as)?.sample;
  if (sample) return { ...(sample as Sample), body: new TextEncoder().encode(sample.rawBody) };
  const names = producers.map(({ name }) => name).join(', ');
  throw misuse(`There is no producer ${as}. There are: ${names}.`);
}

async function sendTest(inlet: Inlet, id: string, options: SendOptions) {
  const payload = await payloadOf(inlet, options);
  const given = payload && {
    rawBody: new TextDecoder().decode(payload.body),
    contentType: payload.contentType,
    headers: payload.headers,
  };
  const body = given ? { payload: given } : { sampleId: options.sample ?? '' };
  let event = await inlet.call('createWebhookTestEvent', { params: { id }, body });
  for (const endAt = Date.now() + waitMs; Date.now() < endAt && !finalStates.has(event.state);) {
    await pause(pollMs);
    event = await inlet.call('getWebhookTestEvent', { params: { id, eventId: event.eventId } });
  }
  return event;
}

/** A secret comes from the environment, from the next line of standard input, or from a question. */
async function secretOf(variable: string, title: string, isInputTaken: boolean): Promise<string> {
  const given = process.env[variable] || (isInputTaken ? '' : await readSecret(title));
  if (given) return given;
  throw misuse(`${title}: put it into ${variable}, or on standard input.`);
}

/** The scheme of the settings, or that of the producer; null when the webhook verifies no signatures. */
async function schemeOf(inlet: Inlet, id: string): Promise<SignatureScheme | null> {
  const settings = await inlet.call('getWebhookSettings', { params: { id } });
  if (!settings.signature) return null;
  const { scheme } = settings.signature;
  if (typeof scheme === 'object' && scheme) return scheme as SignatureScheme;
  const catalogue = await inlet.call('getProducers', {});
  const own = catalogue.producers.find(({ name }) => name === settings.producerProfile)?.signature;
  const presets = (catalogue.settings as { signatures: Record<string, SignatureScheme> })
    .signatures;
  const found = presets[scheme ?? own?.preset ?? ''];
  if (found) return found;
  throw misuse(`The signature scheme ${scheme ?? ''} is not known.`);
}

async function sendLive(inlet: Inlet, id: string, options: SendOptions) {
  const payload = await payloadOf(inlet, options);
  if (!payload) throw misuse('--live needs -f <file> or --as <producer>.');
  const isInputTaken = options.file === '-';
  const url = await secretOf('INLET_WEBHOOK_URL', 'Secret URL of the webhook', isInputTaken);
  if (!URL.canParse(url)) throw misuse('That is no URL.');
  if (new URL(url).host !== new URL(inlet.target.url).host) {
    throw misuse('The secret URL is of another installation.');
  }
  const scheme = options.sign ? await schemeOf(inlet, id) : null;
  const secret =
    scheme && (await secretOf('INLET_WEBHOOK_SECRET', 'Secret of its signature', isInputTaken));
  const request = { ...payload, url };
  const signed = scheme && secret ? await signRequest(scheme, secret, request) : request;
  return post(signed.url, signed.body, {
    contentType: signed.contentType,
    headers: { ...payload.headers, ...signed.headers },
  });
}

export const sendCommand = define({
  usage: 'send <webhook>',
  summary: 'Send a payload: as a test event, or with --live to the secret URL',
  more:
    'A test event and its contact, chat and message are marked, and use the newest mapping. --as sends a typical event of a ' +
    'producer, about people who do not exist and always with the same event id. With --live the URL is read from ' +
    'INLET_WEBHOOK_URL or standard input; where the webhook verifies signatures, its secret is read from ' +
    'INLET_WEBHOOK_SECRET or the next line. A request that is answered with 429 or 5xx is sent again.',
  example:
    'inlet send CRM -f lead.json\ninlet send CRM --as hubspot\ninlet send CRM -f lead.json --live < url.txt',
  options: [
    ['-f, --file <file>', 'The payload; - for standard input.'],
    ['--as <producer>', 'What this producer sends.'],
    ['--sample <id>', 'A stored sample, as a test event.'],
    ['--type <type>', 'The content type of the file.', 'application/json'],
    ['--live', 'Sends a real request.'],
    ['--no-sign', 'Does not sign it, although the webhook verifies signatures.'],
  ],
  run: async ({ inlet, args: [wanted], options }) => {
    const { file, as, sample, live } = options;
    if ([file, as, sample].filter((one) => one !== undefined).length !== 1) {
      throw misuse('Give one of -f <file>, --as <producer> and --sample <id>.');
    }
    const { id } = await findOne(inlet, 'listWebhooks', wanted);
    if (live) return record(await sendLive(inlet, id, options));
    const event = await sendTest(inlet, id, options);
    const isFine = event.state === 'done' || event.state === 'ignored';
    const why = `The test event is ${event.state}${event.reason ? `: ${event.reason}` : ''}.`;
    return record(event, isFine ? undefined : why);
  },
});
