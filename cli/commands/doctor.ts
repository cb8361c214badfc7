/** doctor and backup verify: what a supporter would ask first, each answer with what to do. */
import { connect as connectTls } from 'node:tls';
import type { Command } from 'commander';
import type { Answer } from '../../client/client.ts';
import { connect, type Inlet } from '../connection/connect.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { CommandFailure, describeFailure } from '../terminal/failure.ts';
import { print, printable, printJson, styled } from '../terminal/output.ts';

type Finding = {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'problem' | 'unknown';
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
};
type Check = (inlet: Inlet, options: Options) => Promise<Finding[]>;
type Options = { readonly ops?: string };

const timeoutMs = 10_000;
const maxClockMs = 5_000;
const minCertificateDays = 14;
const maxOpenMinutes = 15;
const warnDiskPercent = 80;
const maxDiskPercent = 92;
const dayMs = 86_400_000;

type Judged = [check: string, isGood: boolean, text: string, advice: string, bad?: 'warning'];

const finding = (...[check, isGood, text, advice, bad]: Judged): Finding =>
  isGood
    ? { check, result: 'ok', text }
    : { check, result: bad ?? ('problem' as const), text, advice };

const checkAddress: Check = async ({ target }) => {
  const before = Date.now();
  const response = await fetch(`${target.url}/v1/openapi.json`, {
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  const now = (before + Date.now()) / 2;
  const date = Date.parse(response.headers.get('date') ?? '');
  const offMs = Math.abs(now - date);
  const isLocal = /^http:\/\/(?:127\.|localhost|\[::1\])/.test(target.url);
  const isSafe = target.url.startsWith('https:') || isLocal;
  return [
    finding(
      'address',
      response.ok,
      `${target.url} answers ${response.status}.`,
      'Check the address and the proxy.',
    ),
    finding(
      'encryption',
      isSafe,
      isSafe ? 'The connection is safe.' : 'The connection is plain http.',
      'Use https: tokens and secret URLs are readable on the way.',
      'warning',
    ),
    finding(
      'clock',
      !(offMs > maxClockMs),
      `The clocks differ by ${Math.round(offMs / 1_000)} s.`,
      'Synchronize the clocks of the server and of this machine.',
      'warning',
    ),
  ];
};

const checkCertificate: Check = async ({ target }) => {
  const { protocol, hostname, port } = new URL(target.url);
  if (protocol !== 'https:') return [];
  const days = await new Promise<number>((resolve, reject) => {
    const socket = connectTls(
      { host: hostname, port: Number(port || 443), servername: hostname },
      () => {
        resolve((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / dayMs);
        socket.destroy();
      },
    );
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
    socket.once('error', reject);
  });
  return [
    finding(
      'certificate',
      days >= minCertificateDays,
      `It is valid for ${Math.floor(days)} more days.`,
      'Renew the certificate.',
      'warning',
    ),
  ];
};

const checkToken: Check = async (inlet) => {
  const { name, scopes, restricted } = await inlet.call('getCurrentToken', {});
  const text = `${name}: ${scopes.join(', ')}${restricted ? ', restricted' : ''}.`;
  return [{ check: 'token', result: 'ok', text }];
};

const checkHealth: Check = async (inlet) => {
  const health = await inlet.call('getStatsHealth', {});
  const { mongodb, redis, servers, workers, backlog, oldestOpenAt } = health;
  const minutes = oldestOpenAt ? (Date.now() - Date.parse(oldestOpenAt)) / 60_000 : 0;
  const dead = backlog?.dead ?? 0;
  const jobs = redis.queueDepth === null ? '' : ` ${redis.queueDepth} jobs wait.`;
  return [
    finding(
      'mongodb',
      mongodb.isUp,
      mongodb.isUp ? 'It answers.' : 'It does not answer.',
      'See docs/operations.md, "MongoDB has no primary".',
    ),
    finding(
      'redis',
      redis.isUp,
      redis.isUp ? `It answers.${jobs}` : 'It does not answer.',
      'Events are stored but wait. Check that it runs with maxmemory-policy noeviction.',
    ),
    finding(
      'servers',
      servers > 0,
      `${servers} reported in the last minute.`,
      'Start one: npm run server.',
    ),
    finding(
      'workers',
      workers > 0,
      `${workers} reported in the last minute.`,
      'Start one: npm run worker. A worker refuses to start if Redis may evict keys.',
    ),
    finding(
      'open events',
      minutes <= maxOpenMinutes,
      oldestOpenAt
        ? `${backlog?.open ?? '?'} are open, the oldest for ${Math.round(minutes)} minutes.`
        : 'None is open.',
      'Look at `inlet tail` and at the log of the workers.',
      'warning',
    ),
    finding('dead letters', dead === 0, `There are ${dead}.`, 'Look at `inlet dead`.', 'warning'),
    ...environmentOf(health),
  ];
};

/** Disk, Redis and the processes. What a server or an older process does not tell is left out. */
function environmentOf({ mongodb, redis, processes }: Answer<'getStatsHealth'>): Finding[] {
  const found: Finding[] = [];
  if (mongodb.disk) {
    const { usedBytes, totalBytes } = mongodb.disk;
    const percent = Math.round((100 * usedBytes) / totalBytes);
    const free = Math.round((totalBytes - usedBytes) / 1e9);
    const advice = 'Enlarge the disk of MongoDB or shorten the retention. A full disk stops Inlet.';
    const text = `${percent} % of that of MongoDB is used, ${free} GB are free.`;
    const bad = percent < maxDiskPercent ? 'warning' : undefined;
    found.push(finding('disk', percent < warnDiskPercent, text, advice, bad));
  }
  if (redis.settings) {
    const { policy, isPersistent } = redis.settings;
    const text = `maxmemory-policy is ${policy}.`;
    const advice =
      'Set noeviction in redis.conf; otherwise Redis drops jobs, and workers do not start.';
    found.push(finding('redis policy', policy === 'noeviction', text, advice));
    const kept = isPersistent ? 'It appends to a file.' : 'It does not append to a file.';
    const why = 'Set appendonly yes; without it a restart of Redis delays events until the sweep.';
    found.push(finding('redis file', isPersistent, kept, why, 'warning'));
  }
  const releases = [...new Set(processes.map(({ release }) => release ?? 'before 0.2.0'))].sort();
  const one = releases.length <= 1;
  const versions = `Processes run ${releases.join(' and ')}.`;
  found.push(
    finding('versions', one, versions, 'Finish the upgrade: restart the older ones.', 'warning'),
  );
  const ahead = processes.flatMap(({ role, aheadMs }) =>
    aheadMs === null ? [] : [{ role, aheadMs }],
  );
  const worst = ahead.toSorted((a, b) => Math.abs(b.aheadMs) - Math.abs(a.aheadMs))[0];
  if (worst) {
    const { role, aheadMs } = worst;
    const text = `The clock of a ${role} differs by ${Math.round(Math.abs(aheadMs) / 1_000)} s from that of MongoDB.`;
    const advice = 'Synchronize the clocks of the machines by NTP.';
    found.push(finding('clocks', Math.abs(aheadMs) <= maxClockMs, text, advice, 'warning'));
  }
  return found;
}

/** Says which indexes are missing, among other things. */
const checkReadiness: Check = async ({ target }, { ops }) => {
  const isLocal = /^http:\/\/(?:127\.|localhost)/.test(target.url);
  const address = ops ?? (isLocal ? 'http://127.0.0.1:9090' : undefined);
  if (address === undefined) {
    return [
      {
        check: 'readiness',
        result: 'unknown',
        text: 'The operations port is not known.',
        advice: 'Repeat with --ops <url>: it checks the indexes.',
      },
    ];
  }
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${address.replace(/\/$/, '')}/readyz`, { signal });
  const { reasons = [] } = (await response.json()) as { reasons?: string[] };
  const text = response.ok
    ? 'Ready: MongoDB answers and every unique index is there.'
    : `${reasons.join('; ')}.`;
  return [
    finding(
      'readiness',
      response.ok,
      text,
      'See docs/operations.md. A missing index: npm run migrate.',
    ),
  ];
};

/** What the promises rest on. */
const checkDatabase: Check = async (inlet) => {
  const { missingIndexes, secrets } = await inlet.call('verifyDatabase', {});
  const lost = missingIndexes.length;
  return [
    finding(
      'indexes',
      lost === 0,
      lost === 0 ? 'Every unique index is there.' : `Missing: ${missingIndexes.join(', ')}.`,
      'Effects could be doubled. Stop the senders, and run: npm run migrate.',
    ),
    ...secrets.map(({ owner, readable, unreadable }) =>
      finding(
        `secrets of ${owner.replace('_', ' ')}s`,
        unreadable === 0,
        `${readable} of ${readable + unreadable} open with the configured keys.`,
        'Add the key that they were sealed under to INLET_SECRET_KEYS, or set them again.',
      ),
    ),
  ];
};

const checkAudit: Check = async (inlet) => {
  const { ok, checked, broken } = await inlet.call('verifyAudit', {});
  const text = ok
    ? `The chain of ${checked} rows is whole.`
    : `Row ${broken?.seq}: ${broken?.reason}.`;
  return [
    finding(
      'audit log',
      ok,
      text,
      'Rows were changed or lost outside Inlet. Keep the database, and compare it with a backup.',
    ),
  ];
};

/** Every record can be read, and of each webhook the active mapping exists. */
const checkRecords: Check = async (inlet) => {
  const query = { per_page: 200 };
  const { results: webhooks } = await inlet.call('listWebhooks', { query });
  const active = webhooks.filter(({ activeVersion }) => activeVersion !== null);
  let broken = 0;
  for (const { id, activeVersion } of active) {
    const params = { id, version: String(activeVersion) };
    await inlet.call('getWebhookMapping', { params }).catch(() => (broken += 1));
  }
  const { results: events } = await inlet.call('listEvents', {
    query: { per_page: 50, state: ['done'] },
  });
  const unread = await Promise.all(
    events.map(({ id }) =>
      inlet.call('getEvent', { params: { id } }).then(
        ({ effects, items }) => effects === null && items === null,
        () => true,
      ),
    ),
  );
  const lost = unread.filter(Boolean).length;
  return [
    finding(
      'mappings',
      broken === 0,
      `${active.length - broken} of ${active.length} active mappings can be read.`,
      'The backup misses mapping versions.',
    ),
    finding(
      'events',
      lost === 0,
      `${events.length - lost} of the last ${events.length} finished events have their effects.`,
      'The backup was not taken at one point in time.',
    ),
  ];
};

const colours = { ok: 'green', warning: 'yellow', problem: 'red', unknown: 'dim' } as const;

async function runChecks(
  checks: Readonly<Record<string, Check>>,
  options: Options,
  command: Command,
): Promise<void> {
  const { json, ...globals } = globalsOf(command);
  const inlet = connect(globals);
  const findings: Finding[] = [];
  for (const [check, ask] of Object.entries(checks)) {
    const found = await ask(inlet, options).catch((error: unknown): Finding[] => {
      const { exit, message } = describeFailure(error);
      return [
        {
          check,
          result: exit === 'access' ? 'unknown' : 'problem',
          text: message,
          advice: 'The check could not be made.',
        },
      ];
    });
    findings.push(...found);
  }
  if (json) printJson(findings);
  for (const { check, result, text, advice } of json ? [] : findings) {
    print(
      `${styled(colours[result], result.padEnd(8))} ${check.padEnd(25)} ${printable(text)}${advice ? ` ${advice}` : ''}`,
    );
  }
  const problems = findings.filter(({ result }) => result === 'problem').length;
  if (problems > 0) throw new CommandFailure(`${problems} checks found a problem.`);
}

const health = {
  address: checkAddress,
  certificate: checkCertificate,
  token: checkToken,
  health: checkHealth,
  readiness: checkReadiness,
  database: checkDatabase,
};

export function addDoctorCommands(program: Command): void {
  const ops = ['--ops <url>', 'The operations port of a server, for its readiness.'] as const;
  define(program, 'doctor', {
    summary:
      'Check an installation: address, clocks, token, databases, disk, Redis, versions, processes, backlog, indexes, keys',
    more: 'Each line says what to do. Warnings do not change the exit code.',
    example: 'inlet doctor --ops http://127.0.0.1:9090',
  })
    .option(...ops)
    .action((options: Options, command: Command) => runChecks(health, options, command));
  const backup = program.command('backup').description('Check a restored database');
  define(backup, 'verify', {
    summary: 'Check an Inlet that runs on a restored database',
    more:
      'Its unique indexes, whether its secrets open with the configured keys, the chain of the audit log, the active mappings, ' +
      'and the effects of the last finished events. Changes nothing. Needs the scope admin.',
    example: 'inlet backup verify --context restored --ops http://127.0.0.1:9090',
  })
    .option(...ops)
    .action((options: Options, command: Command) =>
      runChecks(
        {
          readiness: checkReadiness,
          database: checkDatabase,
          audit: checkAudit,
          records: checkRecords,
        },
        options,
        command,
      ),
    );
}
