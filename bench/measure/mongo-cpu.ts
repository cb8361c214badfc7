/** CPU time of a MongoDB on this machine (Linux), by the port in its command line. Wine's server is not counted. */
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc, which are 10 ms on Linux. */
const tickMs = 10;

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // the process has ended
  }
};

const isMongodAt = (port: string) => (pid: string) => {
  const command = read(`/proc/${pid}/cmdline`);
  return command.includes('mongod') && command.includes(`\0--port\0${port}\0`);
};

/** utime and stime are the 14th and 15th field; the second, in brackets, may contain spaces. */
function cpuMsOf(pid: string): number {
  const stat = read(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs;
}

/** Returns a function that returns the milliseconds used so far, or null when MongoDB is elsewhere. */
export function createMongoCpu(url = process.env.MONGODB_URL ?? ''): () => number | null {
  const port = /:(\d+)/.exec(url.replace(/^.*@/, ''))?.[1] ?? '';
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter(isMongodAt(port)) : [];
  if (pids.length === 0) return () => null;
  return () => pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}
