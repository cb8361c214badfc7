// Starts servers and workers of the built code as separate processes, and deployments: several of them over one test database
// and one queue, which always end with the test.
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import mongoose from 'mongoose';
import { repository } from '../../../scripts/lib/paths.mjs';
import { createClient } from './client.ts';
import { leaseDatabase } from '../services/databases.ts';
import { sharedRedisUrl } from '../services/services.ts';

const bundles = { server: 'dist/bin/server.js', worker: 'dist/bin/worker.js' } as const;
export type RoleName = keyof typeof bundles;

type Ready = { readonly url?: string; readonly opsUrl: string; readonly adminToken?: string };

export type Role = {
  /** Rejects with the process's output when it ends before it is ready. */
  readonly ready: Promise<Ready>;
  /** Its output on stdout and stderr. */
  readonly output: () => string;
  readonly isRunning: () => boolean;
  /** Null until a signal has ended it. */
  readonly endedBy: () => NodeJS.Signals | null;
  /** Ends it by SIGKILL. */
  readonly kill: () => Promise<void>;
  /** SIGTERM; resolves to its exit code. */
  readonly stop: () => Promise<number | null>;
  readonly pid: number;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Sends over IPC; false when the process is gone. */
  readonly send: (message: object) => boolean;
  /** Calls back for each message over IPC. */
  readonly onMessage: (receive: (message: object) => void) => void;
  readonly ended: Promise<number | null>;
};

type RoleOptions = {
  readonly env: NodeJS.ProcessEnv;
  readonly execPath?: string;
  /** Options of Node, such as preloaded modules. */
  readonly execArgv?: readonly string[];
  readonly scripts?: Readonly<Record<RoleName, string>>;
  /** The folder of another release. */
  readonly root?: string;
};

/** The environment without the variables of Inlet. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const dropped =
    /^(INLET_(?!TEST_RUN)|MONGODB_URL$|REDIS_URL$|LOG_LEVEL$|NODE_OPTIONS$|NODE_ENV$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name)));
}

export function launchRole(
  name: RoleName,
  { env, execPath = process.execPath, execArgv = [], scripts = bundles, root }: RoleOptions,
): Role {
  const folder = root ?? repository;
  const child = fork(join(folder, scripts[name]), [], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...env },
    execArgv: ['--enable-source-maps', ...execArgv],
    execPath,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let text = '';
  const add = (chunk: string) => (text += chunk);
  child.stdout?.setEncoding('utf8').on('data', add);
  child.stderr?.setEncoding('utf8').on('data', add);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = readiness(child, () => text);
  ready.catch(() => undefined); // callers that await it still get the error
  const signal = (how: NodeJS.Signals) => {
    child.kill(how);
    return ended;
  };
  return {
    ready,
    output: () => text,
    endedBy: () => child.signalCode,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: async () => void (await signal('SIGKILL')),
    stop: () => signal('SIGTERM'),
    pid: child.pid ?? 0,
    signal: (how) => void child.kill(how),
    send: (message) => child.connected && child.send(message, () => undefined),
    onMessage: (receive) => void child.on('message', receive),
    ended,
  };
}

function readiness(child: ChildProcess, output: () => string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { type?: unknown } & Ready) => {
      if (message.type === 'ready') resolve(message);
    });
    child.once('error', reject);
    child.once('close', () => reject(new Error(`It ended before it served:\n${output()}`)));
  });
}

export const adminToken = 'token-of-the-deployment-1234567890';

export type Deployment = Awaited<ReturnType<typeof createDeployment>>;

/** `env` overrides the environment of the roles, such as the URL of a separate MongoDB or Redis. */
export async function createDeployment(
  name: string,
  { env: more = {}, ...options }: Partial<RoleOptions> = {},
) {
  const mark = randomUUID().slice(0, 8);
  const leased = more.MONGODB_URL === undefined ? await leaseDatabase(name) : undefined;
  const mongoUrl = leased?.url ?? (more.MONGODB_URL as string);
  const redisUrl = more.REDIS_URL ?? sharedRedisUrl();
  const prefix = `test_${name}_${mark}`;
  const env: NodeJS.ProcessEnv = {
    MONGODB_URL: mongoUrl,
    REDIS_URL: redisUrl,
    INLET_QUEUE_PREFIX: prefix,
    INLET_PORT: '0',
    INLET_OPS_PORT: '0',
    INLET_ADMIN_TOKEN: adminToken,
    INLET_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
    // Tests poll often; other tests cover the limit.
    INLET_API_REQUESTS_PER_MINUTE: '100000',
    INLET_SWEEP_INTERVAL_MS: '1000',
    INLET_LEASE_MS: '4000',
    LOG_LEVEL: 'info',
    ...more,
  };
  const launchedRoles: { readonly name: RoleName; readonly role: Role }[] = [];
  const mongo = await new mongoose.mongo.MongoClient(mongoUrl).connect();
  let serverUrl = '';

  function launch(name: RoleName, over: NodeJS.ProcessEnv = {}): Role {
    const role = launchRole(name, { ...options, env: { ...env, ...over } });
    launchedRoles.push({ name, role });
    return role;
  }

  async function start(role: RoleName, over: NodeJS.ProcessEnv = {}): Promise<Role & Ready> {
    const launched = launch(role, over);
    const ready = await launched.ready;
    if (ready.url !== undefined) serverUrl = ready.url;
    return { ...launched, ...ready };
  }

  return {
    mongoUrl,
    redisUrl,
    prefix,
    db: mongo.db(),
    mongo,
    launch,
    start,
    /** The running processes of a role. */
    roles: (name: RoleName) =>
      launchedRoles
        .filter((one) => one.name === name && one.role.isRunning())
        .map((one) => one.role),
    /** A client of the server that was started last. */
    client: createClient({ url: () => serverUrl, token: adminToken }),
    output: () => launchedRoles.map(({ role }) => role.output()).join(''),
    async close() {
      const running = launchedRoles.filter(({ role }) => role.isRunning());
      await Promise.all(running.map(({ role }) => role.kill()));
      await mongo.close();
      await leased?.release();
      if (more.REDIS_URL === undefined) await forgetQueue(redisUrl, prefix);
    },
  };
}

async function forgetQueue(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 500 })) {
      const names = keys as string[];
      if (names.length > 0) await redis.unlink(...names);
    }
  } finally {
    redis.disconnect();
  }
}
