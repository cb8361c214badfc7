// Runs an image as a container engine does: its own mounts and processes, a read-only root with /tmp in memory, the image's
// user without capabilities, and the entry point as process 1. The network is the machine's. Needs root and Linux.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { waitForValue } from '../processes/client.ts';
import type { Image } from './image.ts';

export type Container = Awaited<ReturnType<typeof startContainer>>;

type Terms = {
  /** The arguments instead of the image's own. */
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** Arguments: the folder of the image, its user, its working directory, then the command. */
const start = `
set -e
root=$1 user=$2 folder=$3
shift 3
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec chroot "$root" setpriv --no-new-privs --bounding-set=-all \
  --reuid="\${user%:*}" --regid="\${user#*:}" --clear-groups /usr/bin/env -i -C "$folder" "$@"
`;

const assignments = (variables: Readonly<Record<string, string>>) =>
  Object.entries(variables).map(([name, value]) => `${name}=${value}`);

/** Resolves when process 1 runs. */
export async function startContainer({ root, config }: Image, { args, env }: Terms) {
  const variables = [...config.Env, ...assignments(env)];
  const command = [...config.Entrypoint, ...(args ?? config.Cmd)];
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child'];
  const shell = ['sh', '-c', start, 'sh', root, config.User, config.WorkingDir];
  const child = spawn('unshare', [...namespaces, ...shell, ...variables, ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const add = (chunk: string) => (text += chunk);
  child.stdout.setEncoding('utf8').on('data', add);
  child.stderr.setEncoding('utf8').on('data', add);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  /** Process 1, seen from outside. Undefined before it has become the command, and after it ended. */
  const pidOfFirst = (): number | undefined => {
    const children = readOrEmpty(`/proc/${child.pid}/task/${child.pid}/children`);
    const pid = Number(children.trim());
    return readOrEmpty(`/proc/${pid}/comm`).trim() === 'node' ? pid : undefined;
  };
  const first = await Promise.race([
    waitForValue('process 1 runs', async () => pidOfFirst()),
    ended.then((code) => ({ code })),
  ]);
  return {
    output: () => text,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    status: () => readFileSync(`/proc/${pidOf(first)}/status`, 'utf8'),
    /** Runs a command inside, as the same user. Resolves to its exit code and output. */
    execute: (...inside: string[]) => execute(pidOf(first), { config, variables, inside }),
    /** As `docker stop`, with all the time it needs. Resolves to the exit code. */
    stop() {
      process.kill(pidOf(first), config.StopSignal);
      return ended;
    },
    async kill() {
      // The end of its parent does not reach process 1: the change of its user cleared that signal.
      const pid = pidOfFirst();
      if (pid !== undefined) process.kill(pid, 'SIGKILL');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function pidOf(first: number | { code: number | null }): number {
  if (typeof first === 'number') return first;
  throw new Error(`The container has ended with ${first.code}`);
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

type Execution = {
  readonly config: Image['config'];
  readonly variables: readonly string[];
  readonly inside: readonly string[];
};

async function execute(pid: number, { config, variables, inside }: Execution) {
  const [uid = '', gid = ''] = config.User.split(':');
  const enter = [
    '--target',
    String(pid),
    '--mount',
    '--pid',
    '--root',
    '--wd',
    '-S',
    uid,
    '-G',
    gid,
  ];
  const args = [...enter, '/usr/bin/env', '-i', ...variables, ...inside];
  try {
    const { stdout, stderr } = await promisify(execFile)('nsenter', args);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}
