/** Previews and comparisons of mappings. They have no effects, and are limited as `LimitWork` says. */
import { invalidField } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { withEmptyMessage } from '../../mapping/evaluation/empty-message.ts';
import { previewItems, type Preview, type PreviewItem } from '../../mapping/evaluation/preview.ts';
import type { WorkBudget } from '../../mapping/expressions/work-budget.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import type { ApiContext } from '../context.ts';
import { parsePayload, type PayloadInput } from '../samples/payload.ts';
import { createMappingDiff, type MappingDiff } from './mapping-diff.ts';
import { compileWithin, readTarget, type TargetDeps } from './mappings.ts';
import type { LimitWork } from './work-limit.ts';

type PreviewInput = {
  readonly mapping?: unknown;
  readonly version?: number;
  readonly payload: PayloadInput;
};

type DiffInput = { readonly mapping: unknown; readonly last?: number };

const defaultLast = 200;

type PreviewDeps = TargetDeps &
  Pick<ApiContext, 'events' | 'mappings'> & { readonly limitWork: LimitWork };

export function createPreviews(deps: PreviewDeps) {
  const { mappings, limitWork } = deps;
  const diff = createMappingDiff(deps.events);

  async function chooseMapping(
    webhookId: string,
    { mapping, version }: PreviewInput,
    budget: WorkBudget,
  ): Promise<CompiledMapping> {
    if ((mapping === undefined) === (version === undefined)) {
      throw invalidField('/mapping', 'either mapping or version is required');
    }
    if (version === undefined) return compileWithin(budget, mapping);
    const found = await mappings.get(webhookId, version);
    if (found) return compileWithin(budget, found.mapping);
    throw invalidField('/version', 'is not a version of this webhook');
  }

  return {
    async preview(webhookId: string, given: PreviewInput, { tokenId }: Actor): Promise<Preview> {
      const { webhook, region } = await readTarget(deps, webhookId);
      return limitWork(tokenId, async ({ budget, pause }) => {
        const mapping = await chooseMapping(webhookId, given, budget);
        await pause();
        const payload = parsePayload(given.payload, webhook.producerProfile, '/payload');
        await pause();
        const items: PreviewItem[] = [];
        for (const item of previewItems(mapping, payload, { defaultRegion: region, budget })) {
          items.push({ ...item, problems: withEmptyMessage(mapping.document, item) });
          await pause();
        }
        return { items };
      });
    },

    async diff(
      webhookId: string,
      { mapping, last = defaultLast }: DiffInput,
      { tokenId }: Actor,
    ): Promise<MappingDiff> {
      const { webhook, region } = await readTarget(deps, webhookId);
      const { activeVersion, producerProfile: profile } = webhook;
      const found = activeVersion === null ? null : await mappings.get(webhookId, activeVersion);
      return limitWork(tokenId, async (work) => {
        const candidate = compileWithin(work.budget, mapping);
        await work.pause();
        const active = found && compileWithin(work.budget, found.mapping);
        return diff({ webhookId, profile, active, candidate, region, last }, work);
      });
    },
  };
}
