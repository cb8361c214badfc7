// How long the set-up takes a person, from the open door to an active integration, for samples of the corpus: lived through in the
// console at a person's pace, and measured by the clock, so that what the console itself takes is in it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openConsole, type Console, type Visit } from '../support/console/console.ts';
import { sampleOf } from '../support/console/seed-producers.ts';
import { setUp, signInAndBegin } from '../support/console/setup-steps.ts';
import { createPace, type Pace } from '../support/pace.ts';
import { adminToken } from '../support/processes/roles.ts';

const usual = [
  'piperun.deal_automation',
  'contact_form_7.cf7_to_webhook',
  'typeform.form_response',
];
const folder = mkdtempSync(join(tmpdir(), 'inlet-pace-'));
const payloadFile = 'lead.json';
const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * The ready line for curl is copied, pasted into a terminal, its example is replaced by the name of the producer's file, and it is
 * sent. Returns how many keys and pastes that took.
 */
async function sendWithCurl(visit: Visit, pace: Pace) {
  const { page, pressButton, keepSecret, say: words } = visit;
  await pressButton(words('setup.snippetCopy'));
  const snippet = String(await page.evaluate('navigator.clipboard.readText()'));
  keepSecret(/\/([^/']+)'/.exec(snippet)?.[1] ?? '');
  const command = snippet.replace(/-d '[^]*'$/, `-d @${payloadFile}`);
  if (command === snippet) throw new Error(`The line for curl reads otherwise now:\n${snippet}`);
  const keys = payloadFile.length + '@'.length;
  await pace.takes(
    { kind: 'keys', keys: 2 }, // to the terminal
    { kind: 'paste' },
    { kind: 'click' }, // what is replaced is marked
    { kind: 'keys', keys: keys + 1 }, // and Enter
    { kind: 'keys', keys: 2 }, // back to the console
  );
  await promisify(execFile)('sh', ['-c', `${command} --silent --show-error --fail`], {
    cwd: folder,
  });
  return { clicks: 1, keys: keys + 5, pastes: 1 };
}

async function live(inlet: Console, sample: string): Promise<string> {
  const { body, truth, producer } = sampleOf(sample);
  writeFileSync(join(folder, payloadFile), JSON.stringify(body));
  const pace = createPace();
  let line = '';
  await inlet.visit({ token: null, pace }, async (visit) => {
    const startedAt = performance.now();
    await signInAndBegin(visit, adminToken);
    let elsewhere = { clicks: 0, keys: 0, pastes: 0 };
    const send = async () => void (elsewhere = await sendWithCurl(visit, pace));
    await setUp(visit, { name: producer, person: String(truth.name.value), send });
    const tookMs = performance.now() - startedAt;
    const { count } = visit;
    const { readMs, actMs, words } = pace.spent;
    const cells = [
      minutes(tookMs),
      `${count.clicks + elsewhere.clicks}`,
      `${count.keys + elsewhere.keys}`,
      `${count.pastes + elsewhere.pastes}`,
      `${minutes(readMs)} (${words} words)`,
      minutes(actMs),
      `${((tookMs - readMs - actMs) / 1_000).toFixed(1)} s`,
    ];
    line = `| ${[sample, ...cells].join(' | ')} |`;
  });
  return line;
}

function minutes(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const asked = process.argv.slice(2);
const inlet = await openConsole('pace');
try {
  await inlet.post('/v1/admin/channels', { name: 'Front desk', kind: 'inbox' });
  say('| sample | min:s | clicks | keys | pastes | reading | acting | the console |');
  say('|---|---|---|---|---|---|---|---|');
  for (const sample of asked.length > 0 ? asked : usual) say(await live(inlet, sample));
} finally {
  await inlet.close();
  rmSync(folder, { recursive: true, force: true });
}
