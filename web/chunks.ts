/**
 * Which chunk a module is in. The bundler's own rule is a chunk for each set of screens that share a module, which
 * makes more than forty requests for one screen. This rule joins them: what the first screen loads is one chunk, and
 * what several other screens load is another one. Only a finished bundle tells which modules a screen really uses, so
 * it is made twice.
 */
import { build, type InlineConfig, type Rolldown } from 'vite';

const start = /\/src\/main\.tsx$/;
/** What is loaded at once after the start: the first screen and one language. */
const initially = /\/src\/(?:screens\/overview\/overview\.tsx|i18n\/[\w-]+\.ts)$/;
/** On how many screens a module of the second chunk is, at least. */
const minScreens = 3;
/** These are loaded together, so that two screens are enough. */
const together = /\/src\/screens\/(?:webhook\/webhook-layout|mapping\/mapping)\.tsx$/;

/** The chunk and everything that is loaded with it, by file name. */
function loadedWith(bundle: Rolldown.RolldownOutput, entry: Rolldown.OutputChunk): Set<string> {
  const imports = new Map(
    bundle.output.map((one) => [one.fileName, one.type === 'chunk' ? one.imports : []]),
  );
  const loaded = new Set<string>();
  const open = [entry.fileName];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (loaded.has(file)) continue;
    loaded.add(file);
    open.push(...(imports.get(file) ?? []));
  }
  return loaded;
}

/** The name of each module's chunk; modules without one stay with the bundler. */
function nameModules(bundle: Rolldown.RolldownOutput): Map<string, string> {
  const chunks = bundle.output.filter((one) => one.type === 'chunk');
  const entries = chunks.filter((one) => one.isEntry || one.isDynamicEntry);
  const loadedBy = (isMeant: (one: Rolldown.OutputChunk) => boolean) =>
    new Set(entries.filter(isMeant).flatMap((one) => [...loadedWith(bundle, one)]));
  const initial = loadedBy((one) => one.isEntry || initially.test(one.facadeModuleId ?? ''));
  const joined = loadedBy((one) => together.test(one.facadeModuleId ?? ''));
  const counts = new Map<string, number>();
  for (const file of entries.flatMap((one) => [...loadedWith(bundle, one)])) {
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  for (const { fileName, moduleIds, isDynamicEntry } of chunks) {
    const isShared = (counts.get(fileName) ?? 0) >= (joined.has(fileName) ? 2 : minScreens);
    const name = initial.has(fileName) ? 'first' : isShared ? 'shared' : undefined;
    if (name === undefined || isDynamicEntry) continue;
    for (const id of moduleIds) if (!start.test(id)) names.set(id, name);
  }
  return names;
}

/** The groups for `output.codeSplitting`, from a first bundle of the same configuration. */
export async function joinChunks(config: InlineConfig) {
  const bundle = await build({
    ...config,
    configFile: false,
    logLevel: 'silent',
    build: { ...config.build, write: false },
  });
  if (Array.isArray(bundle) || !('output' in bundle)) throw new Error('One bundle is expected.');
  const names = nameModules(bundle);
  return [{ debugName: 'joined', name: (id: string) => names.get(id) ?? null }];
}
