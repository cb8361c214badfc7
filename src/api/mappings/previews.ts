/** Previews and comparisons of mappings. They have no effects, and are limited as `LimitWork` says. */
import { invalidField } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { withEmptyMessage } from '../../mapping/evaluation/empty-message.ts';
import { previewItems, type Preview, type PreviewItem } from '../../mapping/evaluation/preview.ts';
import type { WorkBudget } from '../../mapping/expressions/work-budget.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import type { ApiContext } from '../context.ts';
import { parsePayload, type PayloadInput } from '../samples/payload.ts';
import { compareMappings, type MappingDiff } from './mapping-diff.ts';
import { compileWithin, readTarget } from './mappings.ts';
import { textWith } from '../../base/texts/texts.ts';

type PreviewInput = {
  readonly webhookId: string;
  readonly mapping?: unknown;
  readonly version?: number;
  readonly payload: PayloadInput;
};

type DiffInput = {
  readonly webhookId: string;
  readonly mapping: unknown;
  readonly last?: number;
};

const defaultLast = 200;

async function chooseMapping(
  { mappings }: ApiContext,
  { webhookId, mapping, version }: PreviewInput,
  budget: WorkBudget,
): Promise<CompiledMapping> {
  if ((mapping === undefined) === (version === undefined)) {
    throw invalidField(
      '/mapping',
      textWith('field.either_required', { one: 'mapping', other: 'version' }),
    );
  }
  if (version === undefined) return compileWithin(budget, mapping);
  const found = await mappings.get(webhookId, version);
  if (found) return compileWithin(budget, found.mapping);
  throw invalidField('/version', 'field.other_version');
}

export async function previewMapping(
  ctx: ApiContext,
  given: PreviewInput,
  { tokenId }: Actor,
): Promise<Preview> {
  const { webhook, region } = await readTarget(ctx, given.webhookId);
  return ctx.limitWork(tokenId, async ({ budget, pause }) => {
    const mapping = await chooseMapping(ctx, given, budget);
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
}

/** Compares a candidate with the active version over the last stored events. */
export async function diffMapping(
  ctx: ApiContext,
  { webhookId, mapping, last = defaultLast }: DiffInput,
  { tokenId }: Actor,
): Promise<MappingDiff> {
  const { webhook, region } = await readTarget(ctx, webhookId);
  const { activeVersion, producerProfile: profile } = webhook;
  const found = activeVersion === null ? null : await ctx.mappings.get(webhookId, activeVersion);
  return ctx.limitWork(tokenId, async (work) => {
    const candidate = compileWithin(work.budget, mapping);
    await work.pause();
    const active = found && compileWithin(work.budget, found.mapping);
    return compareMappings(ctx, { webhookId, profile, active, candidate, region, last }, work);
  });
}
