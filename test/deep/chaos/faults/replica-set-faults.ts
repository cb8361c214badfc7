// Injects the faults of a replica set. An election takes about two seconds, so that most of them cause one.
import { setTimeout as pause } from 'node:timers/promises';
import type { ReplicaSet, SetMember } from '../cluster/replica-set.ts';
import type { Fault } from './schedule.ts';

type SetFault = Extract<Fault, { on: 'set' }>;

export async function injectReplicaSetFault(set: ReplicaSet, fault: SetFault): Promise<void> {
  const { kind, durationMs } = fault;
  if (kind === 'step-down') {
    await set.stepDown(Math.ceil(durationMs / 1_000));
    await pause(durationMs);
    return;
  }
  const targets = await targetsOf(set, fault);
  if (kind.startsWith('partition')) {
    for (const target of targets) set.isolate(target);
    await pause(durationMs);
    set.rejoin(fault.isLossy);
  } else if (kind.startsWith('pause')) {
    for (const { server } of targets) server.pause();
    await pause(durationMs);
    for (const { server } of targets) server.resume();
  } else {
    await Promise.all(targets.map(({ server }) => server.kill()));
    await Promise.all(targets.map(({ server }) => server.start()));
  }
}

/** A majority is the primary and a secondary, or both secondaries. */
async function targetsOf(set: ReplicaSet, fault: SetFault): Promise<SetMember[]> {
  const primary = await set.primary();
  const secondaries = set.members.filter((member) => member !== primary);
  const chosen = secondaries.slice(fault.secondary, fault.secondary + 1);
  if (fault.kind.endsWith('secondary')) return chosen;
  if (fault.kind.endsWith('primary')) return [primary];
  return fault.isLossy ? [primary, ...chosen] : secondaries;
}
