// The sequence of faults of a run, determined by its seed: kind, target, time and duration.
import { faultPoints, type PointName } from '../preload/fault-points.mjs';
import { channelNames, type ChannelName } from '../destinations/channels.ts';
import { destinationFaults, type DestinationFault } from '../destinations/stand-ins.ts';
import { createRandom, type Random } from '../load/random.ts';

const processFaults = ['kill', 'kill at point', 'stop', 'stop at point', 'block', 'clock'] as const;
const redisFaults = ['kill', 'flush', 'pause', 'full'] as const;
const mongoFaults = [
  'step-down',
  'kill',
  'pause',
  'slow',
  'write concern',
  'disk full',
  'fill disk',
  'disconnect',
] as const;
/** Of a replica set. A majority is two of its three members. */
const setFaults = [
  'partition primary',
  'kill primary',
  'pause majority',
  'pause primary',
  'partition secondary',
  'step-down',
  'kill majority',
  'pause secondary',
] as const;
const networkFaults = ['stall up', 'stall down', 'stall', 'cut', 'reset'] as const;

export type Fault = {
  readonly number: number;
  /** The pause before it, in milliseconds. */
  readonly gapMs: number;
  readonly durationMs: number;
} & (
  | {
      readonly on: 'process';
      readonly kind: (typeof processFaults)[number];
      readonly member: string;
      readonly point: PointName;
      readonly hit: number;
      readonly skewMs: number;
    }
  | { readonly on: 'redis'; readonly kind: (typeof redisFaults)[number] }
  | { readonly on: 'mongo'; readonly kind: (typeof mongoFaults)[number] }
  | {
      readonly on: 'set';
      readonly kind: (typeof setFaults)[number];
      /** Which of the two secondaries. */
      readonly secondary: number;
      /** Whether data in transit between separated members is lost; otherwise it arrives late. */
      readonly isLossy: boolean;
    }
  | {
      readonly on: 'network';
      readonly kind: (typeof networkFaults)[number];
      readonly member: string;
      readonly service: 'mongo' | 'redis';
    }
  | {
      readonly on: 'destination';
      readonly kind: DestinationFault;
      readonly channel: ChannelName;
    }
);

export type ScheduleOptions = {
  readonly seed: number;
  readonly servers: number;
  readonly workers: number;
  readonly leaseMs: number;
  readonly gapMs: number;
  /** Whether MongoDB's data is on a disk that may be filled. */
  readonly hasOwnDisk: boolean;
  /** Whether MongoDB is a replica set of three members. */
  readonly hasReplicaSet: boolean;
  /** Whether there are channels that send messages out of Inlet. */
  readonly hasDestinations: boolean;
};

/** One of so many faults is of the replica set. */
const setFaultEvery = 3;

const minute = 60_000;
const pointsOf = (role: 'server' | 'worker') =>
  (Object.keys(faultPoints) as PointName[]).filter((name) =>
    [role, 'any'].includes(faultPoints[name].role),
  );
const pointNames = { server: pointsOf('server'), worker: pointsOf('worker') } as const;

/** Picks by weight. */
function weighed<Value>(random: Random, values: readonly (readonly [Value, number])[]): Value {
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random.next() * total;
  for (const [value, weight] of values) {
    left -= weight;
    if (left < 0) return value;
  }
  return random.pick(values)[0];
}

/** An endless sequence of faults; the caller takes as many as it needs. */
export function* schedule(options: ScheduleOptions): Generator<Fault, never> {
  const random = createRandom(options.seed);
  const nextSetFault = dealSetFaults(random);
  for (let number = 1; ; number += 1) {
    const common = { number, gapMs: options.gapMs * 2 * random.next() };
    if (options.hasReplicaSet && number % setFaultEvery === 1) {
      yield { ...common, ...nextSetFault() } as Fault;
      continue;
    }
    const on = weighed(random, [
      ['process', 60],
      ['redis', 12],
      ['mongo', options.hasReplicaSet ? 0 : 14],
      ['network', 14],
      ['destination', options.hasDestinations ? 30 : 0],
    ] as const);
    yield { ...common, ...faultOn(on, random, options) } as Fault;
  }
}

/** Each kind happens once before one happens again. */
function dealSetFaults(random: Random) {
  let left: (typeof setFaults)[number][] = [];
  return () => {
    if (left.length === 0) left = [...setFaults];
    const [kind] = left.splice(random.whole(0, left.length - 1), 1);
    return {
      on: 'set',
      kind,
      secondary: random.whole(0, 1),
      isLossy: random.chance(0.5),
      durationMs: random.whole(2_500, 5_000),
    };
  };
}

function faultOn(on: Exclude<Fault['on'], 'set'>, random: Random, options: ScheduleOptions) {
  if (on === 'destination') {
    const [kind, channel] = [random.pick(destinationFaults), random.pick(channelNames)];
    return { on, kind, channel, durationMs: random.whole(2_500, 5_000) };
  }
  const isServer = random.chance(0.3);
  const index = random.whole(1, isServer ? options.servers : options.workers);
  const role = isServer ? 'server' : 'worker';
  const member = `${role}-${index}`;
  if (on === 'redis') {
    const kind = weighed(random, [
      ['kill', 3],
      ['flush', 4],
      ['pause', 2],
      ['full', 2],
    ] as const);
    return { on, kind, durationMs: random.whole(300, 3_000) };
  }
  if (on === 'mongo') {
    const kind = weighed(random, [
      ['step-down', 3],
      ['kill', 2],
      ['pause', 2],
      ['slow', 3],
      ['write concern', 4],
      ['disk full', 3],
      ['fill disk', options.hasOwnDisk ? 2 : 0],
      ['disconnect', 3],
    ] as const);
    return { on, kind, durationMs: random.whole(300, 2_000) };
  }
  if (on === 'network') {
    const service = random.chance(0.7) ? ('mongo' as const) : ('redis' as const);
    const kind = random.pick(networkFaults);
    return { on, kind, member, service, durationMs: random.whole(500, 5_000) };
  }
  const kind = weighed(random, [
    ['kill', 12],
    ['kill at point', 28],
    ['stop', 5],
    ['stop at point', 8],
    ['block', 5],
    ['clock', 5],
  ] as const);
  const past = options.leaseMs + random.whole(500, 2_500);
  return {
    on,
    kind,
    member,
    point: random.pick(pointNames[role]),
    hit: random.whole(1, 2),
    skewMs: random.whole(-10, 10) * minute,
    durationMs: kind === 'clock' ? random.whole(2_000, 10_000) : past,
  };
}
