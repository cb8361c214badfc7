/** doctor and backup verify: what a supporter would ask first, each answer with what to do. */
import { connect as connectTls } from 'node:tls';
import type { Command } from 'commander';
import type { Answer } from '../../client/client.ts';
import type { Inlet } from '../connection/connect.ts';
import { define, type Call, type Result } from '../terminal/define.ts';
import { describeFailure } from '../terminal/failure.ts';
import { print, printable, styled } from '../terminal/output.ts';
import { advice, type Check } from './advice.ts';

type Verdict = 'ok' | 'warning' | 'problem' | 'unknown';
type Finding = {
  readonly check: string;
  readonly result: Verdict;
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
};
type Options = { readonly ops?: string };
type Ask = (inlet: Inlet, options: Options) => Promise<Finding[]>;

const timeoutMs = 10_000;
const maxClockMs = 5_000;
const minCertificateDays = 14;
const maxOpenMinutes = 15;
const warnDiskPercent = 80;
const maxDiskPercent = 92;
const dayMs = 86_400_000;

type Judged = readonly [check: Check, verdict: Verdict | boolean, text: string];

/** false is a problem. */
const finding = (...[check, verdict, text]: Judged): Finding => {
  const result = typeof verdict === 'string' ? verdict : verdict ? 'ok' : 'problem';
  return { check, result, text, ...(result !== 'ok' && { advice: advice[check] }) };
};
const orWarning = (isGood: boolean): Verdict => (isGood ? 'ok' : 'warning');
const rounded = (ms: number, unitMs: number): number => Math.round(Math.abs(ms) / unitMs);
const isLocal = (url: string): boolean => /^http:\/\/(?:127\.|localhost|\[::1\])/.test(url);

const checkAddress: Ask = async ({ target: { url } }) => {
  const before = Date.now();
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${url}/v1/openapi.json`, { signal });
  await response.body?.cancel();
  const date = Date.parse(response.headers.get('date') ?? '');
  const offMs = Math.abs((before + Date.now()) / 2 - date);
  const isSafe = url.startsWith('https:') || isLocal(url);
  const clocks = `The clocks differ by ${rounded(offMs, 1_000)} s.`;
  return [
    finding('address', response.ok, `${url} answers ${response.status}.`),
    finding(
      'encryption',
      orWarning(isSafe),
      `The connection is ${isSafe ? 'safe' : 'plain http'}.`,
    ),
    finding('clock', orWarning(!(offMs > maxClockMs)), clocks),
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
  return [finding('certificate', orWarning(days >= minCertificateDays), text)];
};

const checkToken: Ask = async (inlet) => {
  const { name, scopes, restricted } = await inlet.call('getCurrentToken', {});
  return [
    finding('token', 'ok', `${name}: ${scopes.join(', ')}${restricted ? ', restricted' : ''}.`),
  ];
};

const checkHealth: Ask = async (inlet) => {
  const health = await inlet.call('getStatsHealth', {});
  const { mongodb, redis, servers, workers, backlog, oldestOpenAt } = health;
  const answers = (isUp: boolean) => (isUp ? 'It answers.' : 'It does not answer.');
  const minutes = oldestOpenAt ? rounded(Date.now() - Date.parse(oldestOpenAt), 60_000) : 0;
  const oldest = `${backlog?.open ?? '?'} are open, the oldest for ${minutes} minutes.`;
  const dead = backlog?.dead ?? 0;
  const jobs = redis.queueDepth === null ? '' : ` ${redis.queueDepth} jobs wait.`;
  return [
    finding('mongodb', mongodb.isUp, answers(mongodb.isUp)),
    finding('redis', redis.isUp, `${answers(redis.isUp)}${jobs}`),
    finding('servers', servers > 0, `${servers} reported in the last minute.`),
    finding('workers', workers > 0, `${workers} reported in the last minute.`),
    finding(
      'open events',
      orWarning(minutes <= maxOpenMinutes),
      oldestOpenAt ? oldest : 'None is open.',
    ),
    finding('dead letters', orWarning(dead === 0), `There are ${dead}.`),
    ...environmentOf(health),
  ];
};

/** Disk, Redis and the processes. What a server or an older process does not tell is left out. */
function environmentOf({ mongodb, redis, processes }: Answer<'getStatsHealth'>): Finding[] {
  const found: Finding[] = [];
  if (mongodb.disk) {
    const { usedBytes, totalBytes } = mongodb.disk;
    const percent = Math.round((100 * usedBytes) / totalBytes);
    const free = rounded(totalBytes - usedBytes, 1e9);
    const text = `${percent} % of that of MongoDB is used, ${free} GB are free.`;
    const isFull = percent >= maxDiskPercent;
    found.push(finding('disk', isFull ? false : orWarning(percent < warnDiskPercent), text));
  }
  if (redis.settings) {
    const { policy, isPersistent } = redis.settings;
    const kept = `It ${isPersistent ? 'appends' : 'does not append'} to a file.`;
    found.push(finding('redis policy', policy === 'noeviction', `maxmemory-policy is ${policy}.`));
    found.push(finding('redis file', orWarning(isPersistent), kept));
  }
  const releases = [...new Set(processes.map(({ release }) => release ?? 'before 0.2.0'))].sort();
  const runs = `Processes run ${releases.join(' and ')}.`;
  found.push(finding('versions', orWarning(releases.length <= 1), runs));
  const [worst] = processes
    .flatMap(({ role, aheadMs }) => (aheadMs === null ? [] : [{ role, offMs: Math.abs(aheadMs) }]))
    .toSorted((a, b) => b.offMs - a.offMs);
  if (worst) {
    const { role, offMs } = worst;
    const text = `The clock of a ${role} differs by ${rounded(offMs, 1_000)} s from that of MongoDB.`;
    found.push(finding('clocks', orWarning(offMs <= maxClockMs), text));
  }
  return found;
}

const checkReadiness: Ask = async ({ target }, { ops }) => {
  const address = ops ?? (isLocal(target.url) ? 'http://127.0.0.1:9090' : undefined);
  if (address === undefined) {
    return [finding('readiness', 'unknown', 'The operations port is not known: give --ops <url>.')];
  }
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${address.replace(/\/$/, '')}/readyz`, { signal });
  const { reasons = [] } = (await response.json()) as { reasons?: string[] };
  return [finding('readiness', response.ok, response.ok ? 'Ready.' : `${reasons.join('; ')}.`)];
};

/** What the promises rest on. */
const checkDatabase: Ask = async (inlet) => {
  const { missingIndexes: lost, secrets } = await inlet.call('verifyDatabase', {});
  const all = lost.length === 0;
  const text = all ? 'Every unique index is there.' : `Missing: ${lost.join(', ')}.`;
  return [
    finding('indexes', all, text),
    ...secrets.map(({ owner, readable, unreadable }) => {
      const counts = `${readable} of ${readable + unreadable} open with the configured keys.`;
      const check = owner === 'notice_target' ? 'notice target' : owner;
      return finding(`secrets of ${check}s`, unreadable === 0, counts);
    }),
  ];
};

const checkAudit: Ask = async (inlet) => {
  const { ok, checked, broken } = await inlet.call('verifyAudit', {});
  const whole = `The chain of ${checked} rows is whole.`;
  return [finding('audit log', ok, ok ? whole : `Row ${broken?.seq}: ${broken?.reason}.`)];
};

/** Every record can be read, and of each webhook the active mapping exists. */
const checkRecords: Ask = async (inlet) => {
  const query = { per_page: 200 };
  const { results: webhooks } = await inlet.call('listWebhooks', { query });
  const active = webhooks.filter(({ activeVersion }) => activeVersion !== null);
  let broken = 0;
  for (const { id, activeVersion } of active) {
    const params = { id, version: String(activeVersion) };
    await inlet.call('getWebhookMapping', { params }).catch(() => (broken += 1));
  }
  const last = { per_page: 50, state: ['done' as const] };
  const { results: events } = await inlet.call('listEvents', { query: last });
  const unread = await Promise.all(
    events.map(({ id }) =>
      inlet.call('getEvent', { params: { id } }).then(
        ({ effects, items }) => effects === null && items === null,
        () => true,
      ),
    ),
  );
  const whole = unread.filter((isLost) => !isLost).length;
  const read = `${active.length - broken} of ${active.length} active mappings can be read.`;
  const text = `${whole} of the last ${events.length} finished events have their effects.`;
  return [
    finding('mappings', broken === 0, read),
    finding('events', whole === events.length, text),
  ];
};

const colours = { ok: 'green', warning: 'yellow', problem: 'red', unknown: 'dim' } as const;

const printFinding = ({ check, result, text, advice: what }: Finding): void =>
  print(
    `${styled(colours[result], result.padEnd(8))} ${check.padEnd(25)} ${printable(text)}${what ? ` ${what}` : ''}`,
  );

async function runChecks(
  checks: Readonly<Record<string, Ask>>,
  { inlet, options }: Call<Options>,
): Promise<Result> {
  const findings: Finding[] = [];
  for (const [check, ask] of Object.entries(checks)) {
    const found = await ask(inlet, options).catch((error: unknown): Finding[] => {
      const { exit, message: text } = describeFailure(error);
      const result = exit === 'access' ? 'unknown' : 'problem';
      return [{ check, result, text, advice: 'The check could not be made.' }];
    });
    findings.push(...found);
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
const ofBackup = {
  readiness: checkReadiness,
  database: checkDatabase,
  'audit log': checkAudit,
  records: checkRecords,
};

export function addDoctorCommands(program: Command): void {
  const options = [['--ops <url>', 'The operations port of a server, for its readiness.']] as const;
  const doctor = {
    summary:
      'Check an installation: address, clocks, token, databases, disk, Redis, versions, processes, backlog, indexes, keys',
    more: 'Each line says what to do. Warnings do not change the exit code.',
    example: 'inlet doctor --ops http://127.0.0.1:9090',
    options,
  };
  define<Options>(program, ['doctor', doctor], (call) => runChecks(ofInstallation, call));
  const backup = program.command('backup').description('Check a restored database');
  const verify = {
    summary: 'Check an Inlet that runs on a restored database',
    more:
      'Its unique indexes, whether its secrets open with the configured keys, the chain of the audit log, the active mappings, ' +
      'and the effects of the last finished events. Changes nothing. Needs the scope admin.',
    example: 'inlet backup verify --context restored --ops http://127.0.0.1:9090',
    options,
  };
  define<Options>(backup, ['verify', verify], (call) => runChecks(ofBackup, call));
}
