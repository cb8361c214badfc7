/** doctor and backup verify: what a supporter would ask first, each answer with what to do. Most of it is what Inlet finds itself. */
import { connect as connectTls } from 'node:tls';
import type { Answer } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { define, type Call, type Result } from '../terminal/define.ts';
import { describeFailure } from '../terminal/failure.ts';
import { print, printable, styled } from '../terminal/output.ts';

type OfServer = Answer<'getStatsHealth'>['findings'][number];
type Finding = Omit<OfServer, 'result'> & { readonly result: OfServer['result'] | 'unknown' };
type Options = { readonly ops: string | undefined };
type Ask = (inlet: Inlet, options: Options) => Promise<Finding[]>;

const timeoutMs = 10_000;
const maxClockMs = 5_000;
const minCertificateDays = 14;
const dayMs = 86_400_000;

type Judged = readonly [check: string, result: Finding['result'], text: string];

const finding = (...[[check, result, text], advice]: readonly [Judged, string]): Finding => ({
  check,
  result,
  text,
  advice: result === 'ok' ? null : advice,
});
const orWarning = (isGood: boolean) => (isGood ? 'ok' : 'warning');
const isLocal = (url: string): boolean => /^http:\/\/(?:127\.|localhost|\[::1\])/.test(url);

const checkAddress: Ask = async ({ target: { url } }) => {
  const before = Date.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${url}/v1/openapi.json`, { signal });
  await response.body?.cancel();
  const offMs = Math.abs(
    (before + Date.now()) / 2 - Date.parse(response.headers.get('date') ?? ''),
  );
  const isSafe = url.startsWith('https:') || isLocal(url);
  const answers = `${url} answers ${response.status}.`;
  const secure = `The connection is ${isSafe ? 'safe' : 'plain http'}.`;
  const clocks = `The clocks differ by ${Math.round(offMs / 1_000)} s.`;
  return [
    finding(
      ['address', response.ok ? 'ok' : 'problem', answers],
      'Check the address and the proxy.',
    ),
    finding(
      ['encryption', orWarning(isSafe), secure],
      'Use https: tokens and secret URLs are readable on the way.',
    ),
    finding(
      ['clock', orWarning(!(offMs > maxClockMs)), clocks],
      'Synchronize the clocks of the server and of this machine.',
    ),
  ];
};

const checkCertificate: Ask = async ({ target }) => {
  const { protocol, hostname: host, port } = new URL(target.url);
  if (protocol !== 'https:') return [];
  const days = await new Promise<number>((resolve, reject) => {
    const options = { host, port: Number(port || 443), servername: host };
    const socket = connectTls(options, () => {
      resolve((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs);
      socket.destroy();
    });
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
  const text = `It is valid for ${Math.floor(days)} more days.`;
  return [
    finding(['certificate', orWarning(days >= minCertificateDays), text], 'Renew the certificate.'),
  ];
};

const checkToken: Ask = async (inlet) => {
  const { name, scopes, restricted } = await inlet.call('getCurrentToken', {});
  const text = `${name}: ${scopes.join(', ')}${restricted ? ', restricted' : ''}.`;
  return [finding(['token', 'ok', text], '')];
};

const checkReadiness: Ask = async ({ target }, { ops }) => {
  const address = ops ?? (isLocal(target.url) ? 'http://127.0.0.1:9090' : undefined);
  const advice = 'See docs/operations.md.';
  if (address === undefined) {
    const text = 'The operations port is not known: give --ops <url>.';
    return [finding(['readiness', 'unknown', text], advice)];
  }
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${address.replace(/\/$/, '')}/readyz`, { signal });
  const { reasons = [] } = (await response.json()) as { reasons?: string[] };
  const text = response.ok ? 'Ready.' : `${reasons.join('; ')}.`;
  return [finding(['readiness', response.ok ? 'ok' : 'problem', text], advice)];
};

const checkHealth: Ask = async (inlet) => (await inlet.call('getStatsHealth', {})).findings;
const checkDatabase: Ask = async (inlet) => (await inlet.call('verifyDatabase', {})).findings;
const checkRecords: Ask = async (inlet) =>
  (await inlet.call('verifyDatabase', { query: { records: true } })).findings;

const colours = { ok: 'green', warning: 'yellow', problem: 'red', unknown: 'dim' } as const;

function printFinding({ check, result, text, advice }: Finding): void {
  const verdict = styled(colours[result], result.padEnd(8));
  print(`${verdict} ${check.padEnd(25)} ${printable(text)}${advice ? ` ${advice}` : ''}`);
}

async function runChecks(
  checks: Readonly<Record<string, Ask>>,
  { inlet, options }: Pick<Call<Options>, 'inlet' | 'options'>,
): Promise<Result> {
  const findings: Finding[] = [];
  for (const [check, ask] of Object.entries(checks)) {
    const found = await ask(inlet, options).catch((error: unknown) => {
      const { exit, message } = describeFailure(error);
      const result = exit === 'access' ? 'unknown' : 'problem';
      return [finding([check, result, message], 'The check could not be made.')];
    });
    findings.push(...found.map((one) => ({ ...one, check: one.check.replaceAll('_', ' ') })));
  }
  const problems = findings.filter(({ result }) => result === 'problem').length;
  return {
    value: findings,
    print: () => findings.forEach(printFinding),
    failure: problems > 0 ? `${problems} checks found a problem.` : undefined,
  };
}

const ofInstallation = {
  address: checkAddress,
  certificate: checkCertificate,
  token: checkToken,
  health: checkHealth,
  readiness: checkReadiness,
  database: checkDatabase,
};
const ofBackup = { readiness: checkReadiness, database: checkRecords };

const options = [['--ops <url>', 'The operations port of a server, for its readiness.']] as const;

export const doctorCommands = [
  define({
    usage: 'doctor',
    summary:
      'Check an installation: address, clocks, token, databases, disk, Redis, versions, processes, backlog, indexes, keys',
    more: 'Each line says what to do. Warnings do not change the exit code.',
    example: 'inlet doctor --ops http://127.0.0.1:9090',
    options,
    run: (call) => runChecks(ofInstallation, call),
  }),
  define({
    usage: 'backup verify',
    summary: 'Check an Inlet that runs on a restored database',
    more:
      'Its unique indexes, whether its secrets open with the configured keys, the chain of the audit log, the active mappings, ' +
      'and the effects of the last finished events. Changes nothing. Needs the scope admin.',
    example: 'inlet backup verify --context restored --ops http://127.0.0.1:9090',
    options,
    run: (call) => runChecks(ofBackup, call),
  }),
];
