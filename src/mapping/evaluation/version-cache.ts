/** A bounded cache of compiled mapping versions. Versions never change, so entries do not expire. */
import { createCache } from '../../base/concurrency/cache.ts';
import { compileMapping, type CompiledMapping } from '../language/compile.ts';

export type StoredMappings = {
  get(webhookId: string, version: number): Promise<{ readonly mapping: unknown } | null>;
};

/** Returns null when the version does not exist or does not compile; that result is not cached. */
export type LoadCompiledVersion = (
  webhookId: string,
  version: number,
) => Promise<CompiledMapping | null>;

const maxVersions = 2_000;

export function createVersionCache(mappings: StoredMappings): LoadCompiledVersion {
  const versions = createCache<{ readonly mapping: CompiledMapping | null }>({
    max: maxVersions,
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
