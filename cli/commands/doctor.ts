/** doctor and backup verify: what a supporter would ask first, each answer with what to do. Most of it is what Inlet finds itself. */
import { connect as connectTls } from 'node:tls';
import { InletError, type Answer } from '../../client/client.ts';
import { connectTo, type Inlet } from '../connection/connect.ts';
import { resolveContext, type Target } from '../connection/contexts.ts';
import { define, type Call, type Result } from '../terminal/define.ts';
import { describeFailure, misuse } from '../terminal/failure.ts';
import { print, printable, styled } from '../terminal/output.ts';

type OfServer = Answer<'getStatsHealth'>['findings'][number];
type Verdict = OfServer['result'] | 'unknown';
type Finding = Omit<OfServer, 'result'> & { readonly result: Verdict };
type Judged = readonly [check: string, result: Verdict, text: string, advice: string];
type Options = { readonly ops: string | undefined };
type Ask = (inlet: Inlet, options: Options) => Promise<readonly (Finding | Judged)[]>;

const timeoutMs = 10_000;
/** Of each question of the doctor, who asks them at the same time and once: a command that says what fails must not wait for it. */
const longestMs = 20_000;
const maxClockMs = 5_000;
const minCertificateDays = 14;
const dayMs = 86_400_000;

const orWarning = (isGood: boolean) => (isGood ? 'ok' : 'warning');
const orProblem = (isGood: boolean) => (isGood ? 'ok' : 'problem');
const isLocal = (url: string): boolean => /^http:\/\/(?:127\.|localhost|\[::1\])/.test(url);

const checkAddress: Ask = async ({ target: { url } }) => {
  const before = Date.now();
  const response = await fetch(`${url}/v1/openapi.json`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  const date = Date.parse(response.headers.get('date') ?? '');
  const offMs = Math.abs((before + Date.now()) / 2 - date);
  const isSafe = url.startsWith('https:') || isLocal(url);
  const answers = `${url} answers ${response.status}.`;
  const secure = `The connection is ${isSafe ? 'safe' : 'plain http'}.`;
  const differs = `The clocks differ by ${Math.round(offMs / 1_000)} s.`;
  const encrypt = 'Use https: tokens and secret URLs are readable on the way.';
  const synchronize = 'Synchronize the clocks of the server and of this machine.';
  return [
    ['address', orProblem(response.ok), answers, 'Check the address and the proxy.'],
    ['encryption', orWarning(isSafe), secure, encrypt],
    ['clock', orWarning(!(offMs > maxClockMs)), differs, synchronize],
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
  return [['certificate', orWarning(days >= minCertificateDays), text, 'Renew the certificate.']];
};

const checkToken: Ask = async (inlet) => {
  const { name, scopes, restricted } = await inlet.call('getCurrentToken', {});
  return [['token', 'ok', `${name}: ${scopes.join(', ')}${restricted ? ', restricted' : ''}.`, '']];
};

const readinessAdvice = 'See docs/operations.md.';

async function askReadiness(ops: string): Promise<readonly Judged[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${ops.replace(/\/$/, '')}/readyz`, { signal });
  const { reasons = [] } = (await response.json()) as { reasons?: string[] };
  const text = response.ok ? 'Ready.' : `${reasons.join('; ')}.`;
  return [['readiness', orProblem(response.ok), text, readinessAdvice]];
}

const checkReadiness: Ask = async ({ target }, { ops }) => {
  if (ops !== undefined) return askReadiness(ops);
  const text = 'The operations port is not known: give --ops <url>.';
  const unknown: readonly Judged[] = [['readiness', 'unknown', text, readinessAdvice]];
  return isLocal(target.url) ? askReadiness('http://127.0.0.1:9090').catch(() => unknown) : unknown;
};

/** A restored server has no workers and no balancer yet, and its operations port may be closed to this machine. */
const checkRestoredReadiness: Ask = async (inlet, { ops }) => {
  if (ops !== undefined) return askReadiness(ops);
  const { findings } = await inlet.call('getStatsHealth', {});
  return findings.filter(({ check }) => check === 'mongodb');
};

const ofInstallation: Readonly<Record<string, Ask>> = {
  address: checkAddress,
  certificate: checkCertificate,
  token: checkToken,
  health: async (inlet) => (await inlet.call('getStatsHealth', {})).findings,
  readiness: checkReadiness,
  database: async (inlet) => (await inlet.call('verifyDatabase', {})).findings,
};
const ofBackup: typeof ofInstallation = {
  readiness: checkRestoredReadiness,
  database: async (inlet) =>
    (await inlet.call('verifyDatabase', { query: { records: true } })).findings,
};

const colours = { ok: 'green', warning: 'yellow', problem: 'red', unknown: 'dim' } as const;

function printFinding({ check, result, text, advice }: Finding): void {
  const verdict = styled(colours[result], result.padEnd(8));
  print(`${verdict} ${check.padEnd(25)} ${printable(text)}${advice ? ` ${advice}` : ''}`);
}

function presented(given: Finding | Judged): Finding {
  if ('check' in given) return { ...given, check: given.check.replaceAll('_', ' ') };
  const [check, result, text, advice] = given;
  return { check, result, text, advice: result === 'ok' ? null : advice };
}

type Checking = { readonly inlet: Inlet; readonly options: Options };

async function findWith(
  checks: typeof ofInstallation,
  { inlet, options }: Checking,
): Promise<Finding[]> {
  const found = await Promise.all(
    Object.entries(checks).map(([check, ask]) =>
      ask(inlet, options).catch((error: unknown) => [failedCheck(check, error)]),
    ),
  );
  const findings = found.flat().map(presented);
  return findings.some(isOfDatabase) ? withoutFollowing(findings) : findings;
}

const databaseAdvice =
  'See that MongoDB runs and that the servers reach it. Events are not lost: they are refused until it answers.';

function failedCheck(check: string, error: unknown): Judged {
  if (error instanceof InletError && error.code === 'unavailable')
    return ['mongodb', 'problem', 'The server answers, its database does not.', databaseAdvice];
  const { exit, message } = describeFailure(error);
  const result = exit === 'access' ? 'unknown' : 'problem';
  return [check, result, message, 'The check could not be made.'];
}

const isOfDatabase = ({ check, result }: Finding): boolean =>
  check === 'mongodb' && result === 'problem';

/** Without the repetitions of one cause. */
const withoutFollowing = (findings: readonly Finding[]): Finding[] => {
  const first = findings.findIndex(isOfDatabase);
  return findings.filter((finding, at) => at === first || !isOfDatabase(finding));
};

function judge(findings: readonly Finding[]): Result {
  const problems = findings.filter(({ result }) => result === 'problem').length;
  return {
    value: findings,
    print: () => findings.forEach(printFinding),
    failure: problems > 0 ? `${problems} checks found a problem.` : undefined,
  };
}

const isWhole = (findings: readonly Finding[]): boolean =>
  findings.every(({ result }) => result === 'ok' || result === 'warning');

/** Tells the installation whose backup it is, only when every check was made and none found a problem. */
const reportTo =
  (target: Target, findings: readonly Finding[]): Ask =>
  async () => {
    if (!isWhole(findings)) {
      const advice = 'A report needs that every check is made and finds no problem.';
      return [['report', 'problem', `${target.url} was not told.`, advice]];
    }
    const { verifiedAt } = await connectTo(target).call('recordBackupVerification', {});
    return [['report', 'ok', `${target.url} has recorded it at ${verifiedAt}.`, '']];
  };

type BackupOptions = Options & { readonly report: string | undefined };

async function verifyBackup({ inlet, options }: Call<BackupOptions>): Promise<Result> {
  const target = options.report === undefined ? undefined : resolveContext(options.report);
  if (target?.url === inlet.target.url) {
    throw misuse('--report names the restored Inlet. Name the one whose backup it is.');
  }
  const findings = await findWith(ofBackup, { inlet, options });
  if (!target) return judge(findings);
  const report = { report: reportTo(target, findings) };
  return judge([...findings, ...(await findWith(report, { inlet, options }))]);
}

const options = [['--ops <url>', 'The operations port of a server, for its readiness.']] as const;

export const doctorCommands = [
  define({
    usage: 'doctor',
    summary:
      'Check an installation: address, clocks, token, databases, disk, Redis, versions, processes, backlog, indexes, keys',
    more:
      'Each line says what to do. Warnings do not change the exit code. It asks at the same time and once, and takes at most 20 seconds, ' +
      'also when a database does not answer.',
    example: 'inlet doctor --ops http://127.0.0.1:9090',
    options,
    run: async ({ inlet, options }) => {
      const once = connectTo(inlet.target, { maxAttempts: 1, timeoutMs: longestMs });
      return judge(await findWith(ofInstallation, { inlet: once, options }));
    },
  }),
  define({
    usage: 'backup verify',
    summary: 'Check an Inlet that runs on a restored database',
    more:
      'Its unique indexes, whether its secrets open with the configured keys, the active mappings, ' +
      'and the effects of up to 1,550 finished events of the whole time. Without --ops it asks the API whether MongoDB answers. ' +
      'Changes nothing. Needs the scope admin. With --report the installation whose backup it is records a success; it has a ' +
      'metric and an alert for a backup that nobody has verified for long.',
    example: 'inlet backup verify --context restored --report production',
    options: [
      ...options,
      ['--report <context>', 'The installation whose backup it is: it records a success.'],
    ],
    run: verifyBackup,
  }),
];
