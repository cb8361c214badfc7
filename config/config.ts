/**
 * Configuration from the environment. No other module of src and workers reads the environment.
 *
 * Promises: all problems are reported together, before anything is opened.
 * Must never: print a value, which may be secret. Only composition roots import it.
 */

import { StartupError } from '../src/base/process/startup.ts';
import { decodeKey } from '../src/base/secrets/vault.ts';
import { parseAddressRange } from './address-range.ts';
import { mongodbUrlProblem, redisUrlProblem } from './database-urls.ts';
import { readTraces } from './traces.ts';
import { findUnknownNames, isServiceLink } from './unknown-names.ts';

type Problem = { readonly name: string; readonly message: string };
type Environment = Readonly<Record<string, string | undefined>>;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function createReader(env: Environment) {
  const problems: Problem[] = [];
  const names = new Set<string>();
  function read(name: string): string {
    names.add(name);
    const value = env[name]?.trim() ?? '';
    return isServiceLink(value) ? '' : value;
  }

  function whole(name: string, fallback: number, [min, max]: readonly [number, number]): number {
    const text = read(name);
    if (text === '') return fallback;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    problems.push({ name, message: `must be a whole number from ${min} to ${max}` });
    return fallback;
  }

  function text(name: string, fallback: string, [shape, hint]: readonly [RegExp, string]): string {
    const value = read(name);
    if (value === '') return fallback;
    if (!shape.test(value)) problems.push({ name, message: hint });
    return value;
  }

  function required(name: string, shape: readonly [RegExp, string]): string {
    if (read(name) === '') problems.push({ name, message: `is not set; it ${shape[1]}` });
    return text(name, '', shape);
  }

  /** `problemOf` checks a value of the shape. */
  function url(
    name: string,
    shape: readonly [RegExp, string],
    problemOf: (value: string) => string | null,
  ): string {
    const value = required(name, shape);
    const message = shape[0].test(value) ? problemOf(value) : null;
    if (message !== null) problems.push({ name, message });
    return value;
  }

  function ranges(name: string): readonly string[] {
    const given = read(name)
      .split(',')
      .map((range) => range.trim())
      .filter((range) => range !== '');
    if (!given.every(parseAddressRange)) {
      problems.push({ name, message: 'must be addresses or CIDR ranges, separated by commas' });
    }
    return given;
  }

  function keys(name: string): readonly string[] {
    const given = read(name)
      .split(',')
      .map((key) => key.trim())
      .filter((key) => key !== '');
    if (!given.every(decodeKey) || new Set(given).size < given.length) {
      const message = 'must be different keys of 32 bytes in base64, separated by commas';
      problems.push({ name, message });
    }
    return given;
  }

  return { problems, names, read, whole, text, url, ranges, keys };
}

const host = [/^[A-Za-z0-9.:_-]+$/, 'must be an address or a host name'] as const;
const port = [0, 65_535] as const;
const mongodbUrlShape = [
  /^mongodb(\+srv)?:\/\/\S+$/,
  'must be a mongodb:// or mongodb+srv:// URL',
] as const;
const redisUrlShape = [
  /^rediss?(\+sentinel|\+cluster)?:\/\/\S+$/,
  'must be a redis://, rediss://, redis+sentinel:// or redis+cluster:// URL',
] as const;

/**
 * Reads all settings. .env.example has their meanings. Durations are in milliseconds, sizes in
 * bytes.
 */
function readConfig(env: Environment) {
  const { problems, names, read, whole, text, url, ranges, keys } = createReader(env);
  const { traces, problems: traceProblems } = readTraces(read);
  problems.push(...traceProblems);
  const config = {
    host: text('INLET_HOST', '127.0.0.1', host),
    port: whole('INLET_PORT', 8080, port),
    opsHost: text('INLET_OPS_HOST', '127.0.0.1', host),
    opsPort: whole('INLET_OPS_PORT', 9090, port),
    trustProxy: ranges('INLET_TRUST_PROXY'),
    allowedDestinations: ranges('INLET_ALLOWED_DESTINATIONS'),
    publicUrl: text('INLET_PUBLIC_URL', '', [
      /^https?:\/\/[^\s?#]+$/,
      'must be an http or https URL without query',
    ]).replace(/\/+$/, ''),
    mongodbUrl: url('MONGODB_URL', mongodbUrlShape, mongodbUrlProblem),
    redisUrl: url('REDIS_URL', redisUrlShape, redisUrlProblem),
    // Faults on purpose, by administrators. Each worker that may be ended needs it too.
    allowsDrills:
      text('INLET_DRILLS', 'false', [/^(true|false)$/, 'must be true or false']) === 'true',
    adminToken: text('INLET_ADMIN_TOKEN', '', [
      /^[\x21-\x7e]{16,200}$/,
      'must be 16 to 200 visible ASCII characters',
    ]),
    secretKeys: keys('INLET_SECRET_KEYS'),
    // Folder of the local secret key, relative to the repository. In production a key must be configured.
    dataFolder: text('INLET_DATA_DIR', '.inlet', [/./, 'must be a folder']),
    isProduction: text('NODE_ENV', '', [/./, 'must be a word']) === 'production',
    // A MongoDB document is at most 16 MiB, including the other fields of the event.
    maxBodyBytes: whole('INLET_MAX_BODY_BYTES', 1_048_576, [1_024, 12_582_912]),
    maxInFlight: whole('INLET_MAX_IN_FLIGHT', 2_000, [1, 100_000]),
    // A body is in memory about three times while it is stored: raw, as a document, and in the driver's buffer.
    maxPendingBytes: whole('INLET_MAX_PENDING_BYTES', 67_108_864, [1_048_576, 17_179_869_184]),
    // The files of a message together. Four requests with files are in memory at a time.
    maxMediaBytes: whole('INLET_MAX_MEDIA_BYTES', 16_777_216, [1_024, 104_857_600]),
    requestsPerMinute: whole('INLET_API_REQUESTS_PER_MINUTE', 120, [1, 100_000]),
    defaultRegion: text('INLET_DEFAULT_REGION', 'BR', [
      /^[A-Z]{2}$/,
      'must be a two-letter country code such as BR',
    ]),
    retentionDays: whole('INLET_RETENTION_DAYS', 90, [1, 3_650]),
    // 0: unlimited.
    auditRetentionDays: whole('INLET_AUDIT_RETENTION_DAYS', 0, [0, 36_500]),
    leaseMs: whole('INLET_LEASE_MS', 90_000, [1_000, 3_600_000]),
    concurrency: whole('INLET_CONCURRENCY', 50, [1, 1_000]),
    sweepIntervalMs: whole('INLET_SWEEP_INTERVAL_MS', 10_000, [100, 600_000]),
    drainDelayMs: whole('INLET_DRAIN_DELAY_MS', 0, [0, 300_000]),
    // 0: off.
    webhooksWithMetrics: whole('INLET_WEBHOOK_METRICS', 0, [0, 100]),
    hangMs: whole('INLET_HANG_MS', 30_000, [1_000, 3_600_000]),
    livenessMs: whole('INLET_LIVENESS_MS', 60_000, [1_000, 3_600_000]),
    queuePrefix: text('INLET_QUEUE_PREFIX', 'inlet', [
      /^[A-Za-z0-9_-]{1,40}$/,
      'must be 1 to 40 letters, digits, _ or -',
    ]),
    migrate: text('INLET_MIGRATE', 'auto', [/^(auto|never)$/, 'must be auto or never']),
    logLevel: text('LOG_LEVEL', 'info', [
      new RegExp(`^(${logLevels.join('|')})$`),
      `must be one of ${logLevels.join(', ')}`,
    ]),
    traces,
    prettyLogs: process.stdout.isTTY === true,
  };
  if (config.trustProxy.some((range) => parseAddressRange(range)?.bits === 0)) {
    const message = 'must not contain every address: list the proxies';
    problems.push({ name: 'INLET_TRUST_PROXY', message });
  }
  if (config.maxPendingBytes < config.maxBodyBytes) {
    const message = 'must not be less than INLET_MAX_BODY_BYTES';
    problems.push({ name: 'INLET_MAX_PENDING_BYTES', message });
  }
  for (const { name, suggestion } of findUnknownNames(env, [...names])) {
    const message = `is not a setting of Inlet${suggestion ? `; did you mean ${suggestion}?` : ''}`;
    problems.push({ name, message });
  }
  return { config, problems };
}

export type Config = ReturnType<typeof readConfig>['config'];

/**
 * Returns the configuration. Throws `StartupError` with one line per problem. Problems of `unused` settings are
 * ignored.
 */
export function loadConfig(env: Environment = process.env, unused: readonly string[] = []): Config {
  const { config, problems: all } = readConfig(env);
  const problems = all.filter(({ name }) => !unused.includes(name));
  if (problems.length === 0) return Object.freeze(config);
  throw new StartupError(
    `The configuration has ${problems.length} problem(s):\n` +
      problems.map(({ name, message }) => `  ${name} ${message}`).join('\n'),
  );
}
