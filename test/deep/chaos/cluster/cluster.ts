// The processes under test: servers and workers as in production, each with its own proxies to MongoDB and Redis. A process
// that dies is restarted, as by a supervisor.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { freePort, startOnFreePort } from '../../../../scripts/lib/process/ports.mjs';
import {
  adminToken,
  launchRole,
  type Role,
  type RoleName,
} from '../../../support/processes/roles.ts';
import {
  testMongoUrl,
  type TestMongo,
  type TestServer,
} from '../../../support/services/services.ts';
import type { MutationName } from '../preload/mutations.mjs';
import type { PointName } from '../preload/fault-points.mjs';
import { bundleWrappedRoles, preload } from './bundle.ts';
import { createMongoNetwork } from './mongo-network.ts';
import { createProxy, type Network } from '../../../support/services/proxy.ts';
import { watchMachine, type Stall } from './stalls.ts';
import type { ReplicaSet } from './replica-set.ts';

type FaultCommand = {
  readonly arm?: {
    readonly point: PointName;
    readonly hit: number;
    readonly signal: 'SIGKILL' | 'SIGSTOP';
  } | null;
  readonly blockMs?: number;
  readonly skewMs?: number;
  readonly mutation?: MutationName | null;
};

export type Member = {
  readonly name: string;
  readonly kind: RoleName;
  /** The base URL of a server; empty for a worker. */
  readonly url: string;
  readonly networks: Readonly<Record<'mongo' | 'redis', Network>>;
  readonly process: () => Role;
  readonly opsUrl: () => string | undefined;
  /** How often it ended although no fault killed it. */
  readonly ownEnds: () => number;
  readonly order: (order: FaultCommand) => boolean;
  /** Drains the process, and starts that of another release in its place. Resolves when it is ready. Throws if the drain fails. */
  readonly replaceBy: (release: Release) => Promise<void>;
};

/** A build without the harness, in the folder of a release. */
export type Release = { readonly root: string };

export type ClusterOptions = {
  readonly mongo: TestMongo | ReplicaSet;
  readonly redis: TestServer;
  readonly database: string;
  readonly servers: number;
  readonly workers: number;
  readonly leaseMs: number;
  /** For the output of the processes. */
  readonly folder: string;
  readonly mutation?: MutationName;
  /** Default: the working tree, wrapped by the harness. */
  readonly release?: Release;
  readonly env?: NodeJS.ProcessEnv;
};

const restartPauseMs = 200;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster(options: ClusterOptions) {
  const scripts = options.release ? undefined : await bundleWrappedRoles();
  const mongoUrl = testMongoUrl(options.database, options.mongo.url);
  const client = await new mongoose.mongo.MongoClient(mongoUrl).connect();
  const members: Member[] = [];
  const closing: (() => Promise<void>)[] = [];
  const broken = { by: options.mutation ?? null };
  const machine = watchMachine(client.db());

  async function add(kind: RoleName, index: number): Promise<void> {
    const started = await startOnFreePort((opsPort) =>
      startMember({
        ...options,
        scripts,
        broken,
        onStall: machine.add,
        kind,
        name: `${kind}-${index}`,
        opsPort,
      }),
    );
    members.push(started.member);
    closing.push(started.close);
  }

  // The servers start first, one after the other, because they create the collections.
  for (let n = 1; n <= options.servers; n += 1) await add('server', n);
  await Promise.all(Array.from({ length: options.workers }, (_, n) => add('worker', n + 1)));
  return {
    members,
    servers: members.filter(({ kind }) => kind === 'server'),
    workers: members.filter(({ kind }) => kind === 'worker'),
    mongo: options.mongo,
    redis: options.redis,
    leaseMs: options.leaseMs,
    client,
    db: client.db(),
    /** The times in which a process got no processor, or the database did not answer. */
    stalls: machine.stalls,
    /** Breaks the guarantee in all processes, or none. Those that restart keep it. */
    mutate(mutation: MutationName | null): void {
      broken.by = mutation;
      for (const member of members) member.order({ mutation });
    },
    async close() {
      // The database is removed with its server, which a fault may have left stopped.
      machine.end();
      await Promise.all(closing.map((close) => close()));
      await client.close();
    },
  };
}

type Starting = ClusterOptions & {
  readonly kind: RoleName;
  readonly name: string;
  readonly opsPort: number;
  readonly scripts: Readonly<Record<RoleName, string>> | undefined;
  readonly broken: { readonly by: MutationName | null };
  readonly onStall: (stall: Stall) => void;
};

async function startMember(options: Starting) {
  const { kind, name, mongo, redis, database, scripts, broken } = options;
  const mongoNetwork = await createMongoNetwork(mongo, database);
  const redisNetwork = await createProxy(redis.port);
  const networks = { mongo: mongoNetwork.network, redis: redisNetwork };
  const port = kind === 'server' ? await freePort() : 0;
  const env = {
    ...mongoNetwork.env,
    REDIS_URL: `redis://127.0.0.1:${redisNetwork.port}`,
    INLET_QUEUE_PREFIX: database,
    INLET_PORT: String(port),
    INLET_OPS_PORT: String(options.opsPort),
    INLET_ADMIN_TOKEN: adminToken,
    // Without it each member would create a key in the repository's folder.
    INLET_SECRET_KEYS: Buffer.alloc(32).toString('base64'),
    INLET_API_REQUESTS_PER_MINUTE: '100000',
    INLET_SWEEP_INTERVAL_MS: '500',
    INLET_LEASE_MS: String(options.leaseMs),
    LOG_LEVEL: 'debug',
    ...options.env,
  };
  const envNow = () => ({ ...env, ...(broken.by && { CHAOS_MUTATION: broken.by }) });
  let { release } = options;
  const launch = () =>
    scripts && !release
      ? launchRole(kind, { env: envNow(), execArgv: ['--import', preload], scripts })
      : launchRole(kind, { env, ...release });
  let current = launch();
  let opsUrl: string | undefined;
  let isClosing = false;
  let isReplacing = false;
  let ownEnds = 0;

  async function keep(): Promise<void> {
    for (;;) {
      current.onMessage((message) => {
        if ('type' in message && message.type === 'stalled')
          options.onStall(message as unknown as Stall);
      });
      current.ready.then(
        (ready) => (opsUrl = ready.opsUrl),
        () => undefined,
      );
      await current.ended;
      opsUrl = undefined;
      const output = current.output();
      appendFileSync(join(options.folder, `${name}.log`), output);
      if (isClosing) return;
      // The watchdog ends a process as faults do, and says so.
      if (isReplacing) isReplacing = false;
      else if (current.endedBy() !== 'SIGKILL' || output.includes('"process.hung"')) ownEnds += 1;
      await pause(restartPauseMs);
      current = launch();
    }
  }
  const kept = keep();
  await current.ready.catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const member: Member = {
    name,
    kind,
    url: kind === 'server' ? `http://127.0.0.1:${port}` : '',
    networks,
    process: () => current,
    opsUrl: () => opsUrl,
    ownEnds: () => ownEnds,
    order: (order) => current.send({ type: 'chaos', ...order }),
    replaceBy,
  };
  async function replaceBy(next: Release): Promise<void> {
    release = next;
    isReplacing = true;
    const before = current;
    const code = await before.stop();
    if (code !== 0)
      throw new Error(`${name} ended with ${code}:\n${before.output().slice(-2_000)}`);
    while (current === before) await pause(restartPauseMs);
    await current.ready;
  }
  async function close(): Promise<void> {
    isClosing = true;
    // Twice, because a restart may be in progress.
    for (let again = 0; again < 2; again += 1) {
      await current.kill();
      await Promise.race([kept, pause(restartPauseMs * 2)]);
    }
    await Promise.all(Object.values(networks).map((network) => network.close()));
  }
  return { member, close };
}
