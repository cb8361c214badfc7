/** The compiled mappings of a webhook that recognise its resends: the active one, and older ones in their grace period. */
import { systemClock, type Clock } from '../../base/clock.ts';
import { versionsInGrace, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { LoadCompiledVersion } from '../../mapping/evaluation/version-cache.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';

type EffectiveMappingsDeps = {
  readonly compiledMapping: LoadCompiledVersion;
  readonly clock?: Clock;
};

export type EffectiveMappings = ReturnType<typeof createEffectiveMappings>;

export function createEffectiveMappings({
  compiledMapping,
  clock = systemClock,
}: EffectiveMappingsDeps) {
  return {
    /** Resolves to the active mapping, followed by the older ones; empty without an active mapping. */
    async of(webhook: Webhook): Promise<readonly CompiledMapping[]> {
      const { _id, activeVersion } = webhook;
      if (activeVersion === null) return [];
      const inGrace = versionsInGrace(webhook, clock.now());
      const [active, ...older] = await Promise.all(
        [activeVersion, ...inGrace].map((version) => compiledMapping(_id, version)),
      );
      if (!active) return [];
      return [active, ...older.filter((mapping) => mapping !== null)];
    },
  };
}
