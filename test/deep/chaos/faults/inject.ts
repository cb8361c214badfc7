// Injects the scheduled faults. Each resolves to whether it happened; false for a point that was never reached.
import { writeSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isStopped } from '../../../../scripts/lib/process/processes.mjs';
import type { TestMongo } from '../../../support/services/services.ts';
import type { Member } from '../cluster/cluster.ts';
import type { TestBed } from '../cluster/test-bed.ts';
import { isReplicaSet } from '../cluster/replica-set.ts';
import { faultPoints } from '../preload/fault-points.mjs';
import { injectReplicaSetFault } from './replica-set-faults.ts';
import type { Fault } from './schedule.ts';
import { withRedis } from './with-redis.ts';

export type FaultInjector = {
  /** The name of the fault in the table. */
  name(fault: Fault): string;
  /** The key of the target, which gets one fault at a time. */
  target(fault: Fault): string;
  happen(fault: Fault): Promise<boolean>;
  /** Whether it can end a worker or cost it its leases. */
  mayCostLease(fault: Fault): boolean;
  /** Ends all faults. */
  heal(): Promise<void>;
};

type Of<On extends Fault['on']> = Extract<Fault, { on: On }>;

const flushWithinMs = 2_000;
const reachWithinMs = 10_000;
const writes = ['insert', 'update', 'findAndModify', 'delete'];

/** MongoDB's failpoint for the commands of the processes under test; commands of the harness pass. */
const failpoints = {
  slow: {
    failCommands: [...writes, 'find', 'aggregate'],
    blockConnection: true,
    blockTimeMS: 800,
  },
  // WriteConcernFailed: the write is applied and may be rolled back.
  'write concern': { failCommands: writes, writeConcernError: { code: 64, errmsg: 'timed out' } },
  // OutOfDiskSpace.
  'disk full': { failCommands: writes, errorCode: 14_031 },
  disconnect: { failCommands: [...writes, 'find', 'getMore'], closeConnection: true },
} as const;

/** `disk`: the small file system with MongoDB's data; empty without one. */
export function createFaultInjector(
  { cluster, operator, destinations }: Pick<TestBed, 'cluster' | 'operator' | 'destinations'>,
  disk: string,
): FaultInjector {
  const { redis, leaseMs } = cluster;
  const memberOf = (name: string): Member => {
    const member = cluster.members.find((one) => one.name === name);
    if (!member) throw new Error(`There is no ${name}.`);
    return member;
  };
  async function fail(
    mongo: TestMongo,
    kind: keyof typeof failpoints,
    durationMs: number,
  ): Promise<boolean> {
    await mongo.fail(failpoints[kind]);
    await pause(durationMs);
    return (await mongo.heal()) > 0;
  }

  async function onSet(fault: Of<'set'>): Promise<boolean> {
    if (!isReplicaSet(cluster.mongo)) throw new Error('MongoDB has one member.');
    await injectReplicaSetFault(cluster.mongo, fault);
    return true;
  }

  async function onMongo({ kind, durationMs }: Of<'mongo'>): Promise<boolean> {
    const { mongo } = cluster;
    if (isReplicaSet(mongo)) throw new Error('MongoDB has several members.');
    if (kind === 'kill') {
      await mongo.kill();
      await pause(durationMs / 2);
      await mongo.start();
    } else if (kind === 'pause') {
      mongo.pause();
      await pause(durationMs);
      mongo.resume();
    } else if (kind === 'fill disk') {
      const isFelt = await fillDisk(disk, async () => {
        await pause(durationMs);
        return cannotFlush();
      });
      // Without space for its journal mongod hangs, and ends some seconds later.
      await mongo.kill();
      await mongo.start();
      return isFelt;
    } else if (kind === 'step-down') {
      await mongo.stepDown(Math.ceil(durationMs / 1_000));
      await pause(durationMs);
    } else return fail(mongo, kind, durationMs);
    return true;
  }

  // The driver has no time limit for a server that hangs.
  const cannotFlush = () =>
    Promise.race([
      pause(flushWithinMs, true),
      cluster.client
        .db('admin')
        .command({ fsync: 1 })
        .then(
          () => false,
          () => true,
        ),
    ]);

  async function onRedis({ kind, durationMs }: Of<'redis'>): Promise<boolean> {
    if (kind === 'flush') await withRedis(redis, (client) => client.flushall());
    else if (kind === 'full') {
      await withRedis(redis, (client) => client.config('SET', 'maxmemory', '1mb'));
      await pause(durationMs);
      await withRedis(redis, (client) => client.config('SET', 'maxmemory', '0'));
    } else if (kind === 'pause') {
      redis.pause();
      await pause(durationMs);
      redis.resume();
    } else {
      await redis.kill();
      await pause(durationMs);
      await redis.start();
    }
    return true;
  }

  async function onNetwork({ kind, member, service, durationMs }: Of<'network'>) {
    const network = memberOf(member).networks[service];
    if (kind === 'reset') {
      network.reset();
      return true;
    }
    if (kind === 'cut') network.cut();
    else if (kind === 'stall') network.stall(['up', 'down']);
    else network.stall([kind === 'stall up' ? 'up' : 'down']);
    await pause(durationMs);
    // Data in transit is lost every second time; otherwise it arrives late.
    if (Math.round(durationMs) % 2 === 0) network.reset();
    network.heal();
    return true;
  }

  async function onDestination({ channel, kind, durationMs }: Of<'destination'>) {
    if (!destinations) throw new Error('There are no destinations.');
    return destinations.fail({ channel, kind }, () => pause(durationMs));
  }

  async function onProcess(fault: Of<'process'>): Promise<boolean> {
    const member = memberOf(fault.member);
    const role = member.process();
    if (!role.isRunning()) return false;
    switch (fault.kind) {
      case 'kill':
        await role.kill();
        return true;
      case 'kill at point':
        return endAtPoint(fault, member);
      case 'stop at point':
        return stopAtPoint(fault, member);
      case 'stop':
        role.signal('SIGSTOP');
        await pause(fault.durationMs);
        role.signal('SIGCONT');
        return true;
      case 'block':
        return member.order({ blockMs: leaseMs + 1_000 });
      case 'clock':
        if (!member.order({ skewMs: fault.skewMs })) return false;
        await pause(fault.durationMs);
        return member.order({ skewMs: 0 });
    }
  }

  /** The members that can reach the point. */
  const candidates = (point: Of<'process'>['point'], member: Member) =>
    faultPoints[point].role === 'any' ? cluster.members : [member];

  async function endAtPoint({ point, hit }: Of<'process'>, member: Member): Promise<boolean> {
    const armed = candidates(point, member);
    const roles = armed.map((one) => one.process());
    const ended = Promise.race(roles.map((role) => role.ended.then(() => true)));
    for (const one of armed) one.order({ arm: { point, hit, signal: 'SIGKILL' } });
    provoke(point);
    const isReached = await Promise.race([ended, pause(reachWithinMs, false)]);
    for (const one of armed) one.order({ arm: null });
    return isReached;
  }

  async function stopAtPoint(fault: Of<'process'>, member: Member): Promise<boolean> {
    const { point, hit } = fault;
    const armed = candidates(point, member);
    const roles = armed.map((one) => one.process());
    for (const one of armed) one.order({ arm: { point, hit, signal: 'SIGSTOP' } });
    provoke(point);
    const deadline = Date.now() + reachWithinMs;
    const stopped = () => roles.find(({ pid }) => isStopped(pid));
    while (!stopped() && Date.now() < deadline) await pause(20);
    for (const one of armed) one.order({ arm: null });
    const isReached = stopped() !== undefined;
    if (isReached) await pause(fault.durationMs);
    for (const role of roles) role.signal('SIGCONT');
    return isReached;
  }

  /** Some points are reached only by an operation of the API. */
  function provoke(point: Of<'process'>['point']): void {
    const ignore = () => undefined;
    if (point === 'during replay') void operator.replayDead(2).catch(ignore);
    if (point === 'during a replay of many') void operator.replayAll().catch(ignore);
    if (!point.endsWith('resume')) return;
    const pauseAndResume = async () => {
      await operator.pause('form');
      await pause(700);
      await operator.resume('form');
    };
    void pauseAndResume().catch(ignore);
  }

  async function heal(): Promise<void> {
    for (const { networks } of cluster.members) {
      networks.mongo.heal();
      networks.redis.heal();
    }
    await cluster.mongo.heal();
    await withRedis(redis, (client) => client.config('SET', 'maxmemory', '0'));
    for (const member of cluster.members) {
      member.process().signal('SIGCONT');
      member.order({ arm: null, skewMs: 0 });
    }
  }

  return {
    name: (fault) =>
      fault.on === 'process' && fault.kind.endsWith('at point')
        ? `${nameOf(fault)}: ${fault.kind.replace('at point', fault.point)}`
        : `${nameOf(fault)}: ${fault.kind}`,
    target: (fault) =>
      fault.on === 'network'
        ? `${fault.member}/${fault.service}`
        : fault.on === 'process'
          ? hitsAnyRole(fault)
            ? 'any process'
            : fault.member
          : fault.on === 'destination'
            ? fault.channel
            : fault.on,
    happen(fault) {
      if (fault.on === 'mongo') return onMongo(fault);
      if (fault.on === 'set') return onSet(fault);
      if (fault.on === 'redis') return onRedis(fault);
      if (fault.on === 'destination') return onDestination(fault);
      return fault.on === 'network' ? onNetwork(fault) : onProcess(fault);
    },
    mayCostLease(fault) {
      if (fault.on === 'mongo' || fault.on === 'set') return true;
      const isWorkers = 'member' in fault && fault.member.startsWith('worker');
      if (fault.on === 'network') return isWorkers && fault.service === 'mongo';
      if (fault.on !== 'process' || fault.kind === 'clock') return false;
      return isWorkers || hitsAnyRole(fault);
    },
    heal,
  };
}

const hitsAnyRole = (fault: Of<'process'>): boolean =>
  fault.kind.endsWith('at point') && faultPoints[fault.point].role === 'any';

function nameOf(fault: Fault): string {
  if (fault.on === 'network') return `network to ${fault.service}`;
  if (fault.on === 'set') return 'replica set';
  if (fault.on !== 'process') return fault.on;
  return hitsAnyRole(fault) ? 'any process' : (fault.member.split('-')[0] ?? '');
}

/** Fills the file system, and frees the space after the work. */
async function fillDisk<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const path = join(folder, 'ballast');
  const file = await open(path, 'w');
  try {
    const block = Buffer.alloc(1_048_576);
    // Synchronously, so that no other write comes in between; the last block fits in part.
    for (let isFull = false; !isFull;) isFull = writtenOf(file.fd, block) < block.length;
    return await work();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

function writtenOf(fd: number, block: Buffer): number {
  try {
    return writeSync(fd, block);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return 0;
    throw error;
  }
}
