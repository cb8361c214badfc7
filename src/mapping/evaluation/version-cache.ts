/** Compiled mapping versions, remembered. Versions never change, so they are forgotten only for room. */
import { createCache } from '../../base/concurrency/cache.ts';
import { compileMapping, type CompiledMapping } from '../language/compile.ts';

export type StoredMappings = {
  get(webhookId: string, version: number): Promise<{ readonly mapping: unknown } | null>;
};

/** Null where there is no such version, or none that compiles; that is asked again. */
export type LoadCompiledVersion = (
  webhookId: string,
  version: number,
) => Promise<CompiledMapping | null>;

const maxRemembered = 2_000;

export function createVersionCache(mappings: StoredMappings): LoadCompiledVersion {
  const versions = createCache<{ readonly mapping: CompiledMapping | null }>({
    max: maxRemembered,
    shouldCache: ({ mapping }) => mapping !== null,
    async load(key) {
      const [webhookId = '', version] = key.split('|');
      const stored = await mappings.get(webhookId, Number(version));
      const result = stored && compileMapping(stored.mapping);
      return { mapping: result?.ok ? result.mapping : null };
    },
  });
  return async (webhookId, version) => (await versions.get(`${webhookId}|${version}`)).mapping;
}
