/** The compiled mappings that a receiver needs of a webhook: the active one, and older ones that still know resends. */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { CompiledMapping } from '../mapping/language/compile.ts';
import { createVersionCache, type StoredMappings } from '../mapping/evaluation/version-cache.ts';

export type EffectiveMappings = {
  /** The active mapping first; empty when there is none. */
  of(webhook: Webhook): Promise<readonly CompiledMapping[]>;
};

export type EffectiveMappingsDeps = { readonly mappings: StoredMappings; readonly clock?: Clock };

export function createEffectiveMappings({
  mappings,
  clock = systemClock,
}: EffectiveMappingsDeps): EffectiveMappings {
  const compiled = createVersionCache(mappings);
  return {
    async of({ _id, activeVersion, overlaps }) {
      if (activeVersion === null) return [];
      const now = clock.now();
      const known = overlaps.filter(({ until }) => until > now).map(({ version }) => version);
      const [active, ...older] = await Promise.all(
        [activeVersion, ...known].map((version) => compiled(_id, version)),
      );
      if (!active) return [];
      return [active, ...older.filter((mapping) => mapping !== null)];
    },
  };
}
