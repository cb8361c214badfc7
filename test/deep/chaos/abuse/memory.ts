// Samples the resident memory of the processes (Linux).
import { readFileSync } from 'node:fs';
import type { Member } from '../cluster/cluster.ts';

/** The largest resident memory in MiB of one process, in each part of the run, from the first to the last. */
export type MemoryUse = Readonly<Record<string, readonly number[]>>;

type MemoryWatch = { stop(): MemoryUse };

const sampleEveryMs = 2_000;
const parts = 6;

export function watchMemory(members: readonly Member[]): MemoryWatch {
  const samples = new Map<string, number[]>(members.map(({ name }) => [name, []]));
  const timer = setInterval(() => {
    for (const member of members) samples.get(member.name)?.push(residentOf(member.process().pid));
  }, sampleEveryMs);
  return {
    stop() {
      clearInterval(timer);
      return Object.fromEntries([...samples].map(([name, taken]) => [name, largestByPart(taken)]));
    },
  };
}

function largestByPart(samples: readonly number[]): number[] {
  const size = Math.ceil(samples.length / parts) || 1;
  return Array.from({ length: parts }, (_, part) =>
    Math.max(0, ...samples.slice(part * size, (part + 1) * size)),
  );
}

/** 0 for a process that has ended. */
function residentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_024);
  } catch {
    return 0;
  }
}
