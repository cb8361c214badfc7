// A replica set of three mongods on loopback, each behind a proxy, with fast elections.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { replicaSetName, startMember } from '../../../../scripts/lib/services/mongod.mjs';
import {
  faultsOf,
  requiredEnv,
  startServer,
  testMongoUrl,
  type TestMongo,
  type TestServer,
} from '../../../support/services/services.ts';
import { createMemberProxy, type MemberProxy } from './member-proxy.ts';

export type SetMember = {
  readonly server: TestServer;
  readonly memberProxy: MemberProxy;
  readonly folder: string;
};

export type ReplicaSet = {
  /** It names the proxies of all members. */
  readonly url: string;
  readonly members: readonly SetMember[];
  /** Waits until a member is the primary, and a majority has confirmed it. */
  primary(): Promise<SetMember>;
  /** Separates the member from the others. Clients still reach it. */
  isolate(member: SetMember): void;
  /** Ends all partitions. */
  rejoin(isLossy: boolean): void;
  stepDown(seconds: number): Promise<void>;
  /** Ends all faults, and waits until there is a primary with two secondaries. */
  heal(): Promise<void>;
  /** The ids of the documents that the members rolled back, by collection id. */
  rolledBack(): ReadonlyMap<string, ReadonlySet<string>>;
  close(): Promise<void>;
};

export const isReplicaSet = (mongo: TestMongo | ReplicaSet): mongo is ReplicaSet =>
  'members' in mongo;

const size = 3;
const electionTimeoutMs = 2_000;
const waitMs = 90_000;
/** A look connects to each member, which costs them more than their heartbeats. */
const lookEveryMs = 300;

type Hello = {
  readonly isWritablePrimary: boolean;
  readonly secondary: boolean;
  /** Incomplete while a member starts or rolls back. */
  readonly lastWrite?: {
    readonly opTime?: { readonly t: number };
    readonly majorityOpTime?: { readonly t: number };
  };
};

const memberUrl = (port: number): string =>
  `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSetName}`;

/** Runs a command on one member. Rejects when the member does not accept a connection or answer in time. */
async function ask<Answer>(port: number, command: object, withinMs = 2_000): Promise<Answer> {
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: withinMs,
    connectTimeoutMS: withinMs,
    socketTimeoutMS: withinMs,
  });
  try {
    await client.connect();
    return (await client.db('admin').command(command)) as Answer;
  } finally {
    await client.close();
  }
}

const hello = (port: number): Promise<Hello | undefined> =>
  ask<Hello>(port, { hello: 1 }).catch(() => undefined);

async function startSetMember(): Promise<SetMember> {
  const more = ['--setParameter', 'enableTestCommands=1'];
  const server = await startServer(requiredEnv('INLET_TEST_MONGOD'), async (options) => {
    const started = await startMember({ ...options, more, cacheGb: 0.25 });
    return { ...started, url: memberUrl(options.port) };
  });
  return { server, folder: server.folder, memberProxy: await createMemberProxy(server.port) };
}

export async function startReplicaSet(): Promise<ReplicaSet> {
  const members = await Promise.all(Array.from({ length: size }, startSetMember));
  const [first] = members;
  if (!first) throw new Error('There is no member.');
  const hosts = members.map(({ memberProxy }) => `127.0.0.1:${memberProxy.port}`);
  const config = {
    _id: replicaSetName,
    members: hosts.map((host, _id) => ({ _id, host })),
    settings: {
      electionTimeoutMillis: electionTimeoutMs,
      heartbeatIntervalMillis: 500,
      heartbeatTimeoutSecs: 1,
    },
  };
  await ask(first.server.port, { replSetInitiate: config }, waitMs);

  async function waitFor<Result>(what: string, look: () => Promise<Result | undefined>) {
    for (const deadline = Date.now() + waitMs; ;) {
      const found = await look();
      if (found !== undefined) return found;
      if (Date.now() > deadline) throw new Error(`Not within ${waitMs} ms: ${what}.`);
      await pause(lookEveryMs);
    }
  }

  /** A primary of an earlier term may not know yet that it has lost its majority. */
  async function findPrimary(): Promise<SetMember | undefined> {
    const states = await Promise.all(members.map(({ server }) => hello(server.port)));
    const terms = states.map((state) => state?.lastWrite?.majorityOpTime?.t ?? -1);
    const newest = Math.max(...terms);
    return members.find(
      (_member, n) => states[n]?.isWritablePrimary === true && terms[n] === newest,
    );
  }
  const primary = () => waitFor('a primary', findPrimary);

  const areAllReplicating = async (): Promise<true | undefined> => {
    const states = await Promise.all(members.map(({ server }) => hello(server.port)));
    const isHealthy =
      states.filter((state) => state?.isWritablePrimary).length === 1 &&
      states.filter((state) => state?.secondary).length === size - 1 &&
      // Until it has rolled back, the last entry of a former primary has an earlier term.
      new Set(states.map((state) => state?.lastWrite?.opTime?.t)).size === 1;
    return isHealthy || undefined;
  };

  const replicaSet: ReplicaSet = {
    url: testMongoUrl('inlet_test', `mongodb://${hosts.join(',')}/?replicaSet=${replicaSetName}`),
    members,
    primary,
    isolate(member) {
      const others = members.filter((one) => one !== member);
      member.memberProxy.separate(new Set(others.map(({ server }) => server.port)));
      for (const { memberProxy } of others) memberProxy.separate(new Set([member.server.port]));
    },
    rejoin(isLossy) {
      for (const { memberProxy } of members) memberProxy.heal(isLossy);
    },
    async stepDown(seconds) {
      const { server } = await primary();
      await faultsOf(server.url).stepDown(seconds);
    },
    async heal() {
      replicaSet.rejoin(false);
      for (const { server } of members) server.resume();
      await Promise.all(members.map(({ server }) => server.start()));
      await waitFor('a primary with two secondaries', areAllReplicating);
    },
    rolledBack: () => readRollbacks(members),
    async close() {
      for (const { server } of members) server.resume();
      await Promise.all(members.map(({ server }) => server.close()));
      await Promise.all(members.map(({ memberProxy }) => memberProxy.close()));
    },
  };
  await waitFor('a primary with two secondaries', areAllReplicating);
  return replicaSet;
}

/** A member writes the documents of a rollback to `rollback/<collection id>/removed.<time>.bson`. */
function readRollbacks(members: readonly SetMember[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { folder } of members) {
    const root = join(folder, 'mongodb/rollback');
    for (const path of filesUnder(root)) {
      const [collection = ''] = path.split('/');
      const ids = found.get(collection) ?? new Set();
      found.set(collection, ids);
      for (const { _id } of documentsOf(readFileSync(join(root, path)))) ids.add(String(_id));
    }
  }
  return found;
}

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.bson'),
    );
  } catch {
    return [];
  }
}

function documentsOf(content: Buffer): { _id?: unknown }[] {
  const documents: { _id?: unknown }[] = [];
  for (let at = 0; at < content.length;) {
    const length = content.readInt32LE(at);
    documents.push(mongoose.mongo.BSON.deserialize(content.subarray(at, at + length)));
    at += length;
  }
  return documents;
}
