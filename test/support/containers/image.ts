// Builds the Dockerfile with buildah on a base made here, since registries of images need not be in reach. Needs root and
// Linux. The base is the system's own release of Debian or Ubuntu, so that this process's Node runs in it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../../scripts/lib/paths.mjs';
import { requiredEnv } from '../services/services.ts';

/** What the image says about its containers. */
type ImageConfig = {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly ExposedPorts: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Labels: Readonly<Record<string, string>>;
};

export type Image = {
  readonly config: ImageConfig;
  /** The folder with its files. */
  readonly root: string;
  /** Bytes of the layer above the base. */
  readonly ownBytes: number;
};

const certificates = '/etc/ssl/certs/ca-certificates.crt';
const maxOutput = 64 * 1024 * 1024;

async function run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv) {
  const options = { cwd: repository, maxBuffer: maxOutput, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(program, args, options);
  return stdout.trim();
}

export type Builder = Awaited<ReturnType<typeof openBuilder>>;

/** Makes the base. Rejects elsewhere than on Linux as root. */
export async function openBuilder() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('Tests of the image need Linux and root: run npm run test:deep as root.');
  // Images are too large for a file system in memory.
  const folder = await mkdtemp('/var/tmp/inlet-test-image-');
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  const env = { BUILDAH_ISOLATION: 'chroot', TMPDIR: folder };
  const buildah: Buildah = (...args) =>
    run(requiredEnv('INLET_TEST_BUILDAH'), [...store, '--storage-driver', 'vfs', ...args], env);
  const close = () => rm(folder, { recursive: true, force: true });
  const base = 'localhost/inlet-test-base';
  await commitBase(buildah, { name: base, folder: join(folder, 'base') }).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    /** Rejects with the output when the build fails. */
    build: (terms: Readonly<Record<string, string>>) => build(buildah, { ...terms, BASE: base }),
    /** Removes the base and the images. No container may run. */
    close,
  };
}

async function build(
  buildah: Buildah,
  buildArguments: Readonly<Record<string, string>>,
): Promise<Image> {
  const name = 'localhost/inlet-test';
  const flags = Object.entries(buildArguments).map(([key, value]) => `--build-arg=${key}=${value}`);
  // Only Docker's format has health checks.
  await buildah('build', '--format', 'docker', ...flags, '--tag', name, '.');
  const root = await buildah('mount', await buildah('from', name));
  const { Docker } = JSON.parse(await buildah('inspect', '--type', 'image', name)) as {
    Docker: { config: ImageConfig };
  };
  const layers = await layersOf(buildah, name);
  return { config: Docker.config, root, ownBytes: layers.at(-1) ?? 0 };
}

type Buildah = (...args: string[]) => Promise<string>;

/** The bytes of each layer; that of the base comes first. */
async function layersOf(buildah: Buildah, name: string): Promise<number[]> {
  const inspected = await buildah('inspect', '--type', 'image', name);
  const { Manifest } = JSON.parse(inspected) as { Manifest: string };
  const { layers } = JSON.parse(Manifest) as { layers: { size: number }[] };
  return layers.map(({ size }) => size);
}

async function commitBase(buildah: Buildah, { name, folder }: { name: string; folder: string }) {
  const release = await readFile('/etc/os-release', 'utf8');
  const suite = /^VERSION_CODENAME=(.+)$/m.exec(release)?.[1] ?? '';
  const packages = '--include=libstdc++6,ca-certificates';
  await run(requiredEnv('INLET_TEST_MMDEBSTRAP'), ['--variant=essential', packages, suite, folder]);
  await addNode(folder);
  const container = await buildah('from', 'scratch');
  await run('cp', ['-a', `${folder}/.`, await buildah('mount', container)]);
  await buildah('umount', container);
  // As images of Node have it.
  await buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container);
  await buildah('commit', '--format', 'docker', '--rm', container, name);
  await rm(folder, { recursive: true });
}

/** This process's Node, and npm with its registry and certificates. */
async function addNode(folder: string): Promise<void> {
  await cp(process.execPath, join(folder, 'usr/bin/node'));
  const npm = await realpath(await run('which', ['npm']));
  await cp(dirname(dirname(npm)), join(folder, 'usr/lib/node_modules/npm'), { recursive: true });
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(folder, 'usr/bin/npm'));
  const registry = await run('npm', ['config', 'get', 'registry', '--no-workspaces']);
  await mkdir(join(folder, 'usr/etc'), { recursive: true });
  await writeFile(join(folder, 'usr/etc/npmrc'), `registry=${registry}\ncafile=${certificates}\n`);
  if (existsSync(certificates)) await cp(certificates, join(folder, certificates));
}
