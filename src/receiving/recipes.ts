/** The compiled mappings that a receiver needs of a webhook: the active one, and older ones that still know resends. */
import { systemClock, type Clock } from '../base/clock.ts';
import { createMemo } from '../base/memo.ts';
import type { Webhook } from '../domain/webhook.ts';
import { compileMapping, type CompiledMapping } from '../mapping/compile.ts';

export type Recipes = {
  /** The active mapping first; empty when there is none. */
  of(webhook: Webhook): Promise<readonly CompiledMapping[]>;
};

export type RecipeDeps = {
  readonly mappings: {
    get(webhookId: string, version: number): Promise<{ readonly mapping: unknown } | null>;
  };
  readonly clock?: Clock;
};

export function createRecipes({ mappings, clock = systemClock }: RecipeDeps): Recipes {
  // Versions never change, so they are forgotten only for room.
  const compiled = createMemo<{ readonly mapping: CompiledMapping | null }>({
    max: 2_000,
    keep: ({ mapping }) => mapping !== null,
    async load(key) {
      const [webhookId = '', version] = key.split('|');
      const stored = await mappings.get(webhookId, Number(version));
      const result = stored && compileMapping(stored.mapping);
      return { mapping: result?.ok ? result.mapping : null };
    },
  });

  return {
    async of({ _id, activeVersion, overlaps }) {
      if (activeVersion === null) return [];
      const now = clock.now();
      const known = overlaps.filter(({ until }) => until > now).map(({ version }) => version);
      const found = await Promise.all(
        [activeVersion, ...known].map((version) => compiled.get(`${_id}|${version}`)),
      );
      if (!found[0]?.mapping) return [];
      return found.flatMap(({ mapping }) => (mapping ? [mapping] : []));
    },
  };
}
