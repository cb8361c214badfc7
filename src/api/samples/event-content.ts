/**
 * Content of an event: the decoded body (for an item its part of the parent's body), headers and query.
 *
 * Credentials are not masked; the caller masks them.
 */
import type { EventRecord } from '../../domain/events/event.ts';
import type { ApiContext } from '../context.ts';
import { maskBody, maskNamed } from './mask-credentials.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

export type EventContent = {
  readonly payload: unknown;
  readonly headers: Record<string, string>;
  readonly query: Record<string, string>;
};

/** Fields that locate a body: in the record itself, or in its parent's. */
type ContentSource = Pick<EventRecord, 'webhookId' | 'delivery' | 'parentId' | 'itemIndex'>;

const nothing: EventContent = { payload: null, headers: {}, query: {} };

export const maskContent = ({ payload, headers, query }: EventContent): EventContent => ({
  payload: maskBody(payload),
  headers: maskNamed(headers),
  query: maskNamed(query),
});

/** Returns empty content when the body is not stored any more. */
export async function readContent(ctx: ApiContext, source: ContentSource): Promise<EventContent> {
  const parents = await parentsOf(ctx, [source]);
  return contentOf(ctx, source, parents);
}

/** Reads the parents in one query, and decodes one body at a time. */
export async function* readContents<Source extends ContentSource>(
  ctx: ApiContext,
  sources: readonly Source[],
): AsyncGenerator<{ readonly source: Source; readonly content: EventContent }> {
  const parents = await parentsOf(ctx, sources);
  for (const source of sources) yield { source, content: await contentOf(ctx, source, parents) };
}

type Parents = ReadonlyMap<string, EventRecord>;

async function parentsOf(
  { events }: ApiContext,
  sources: readonly ContentSource[],
): Promise<Parents> {
  const ids = sources.flatMap(({ delivery, parentId }) => (delivery ? [] : (parentId ?? [])));
  const found = ids.length === 0 ? [] : await events.getMany([...new Set(ids)]);
  return new Map(found.map((parent) => [parent._id, parent]));
}

async function contentOf(
  ctx: ApiContext,
  source: ContentSource,
  parents: Parents,
): Promise<EventContent> {
  const parent = source.delivery ? undefined : parents.get(source.parentId ?? '');
  const delivery = source.delivery ?? parent?.delivery;
  if (!delivery) return nothing;
  const profile = (await getWebhook(ctx, source.webhookId))?.producerProfile ?? 'generic';
  const { headers, query } = delivery;
  const shown = { headers: { ...headers }, query: { ...query } };
  if (!parent) {
    const payload = ctx.bodies.read({ delivery, profile }).payload()?.body ?? null;
    return { payload, ...shown };
  }
  const mapping = await ctx.bodies.compiledMapping(parent.webhookId, parent.mappingVersion);
  const items = mapping
    ? ctx.bodies.readShared(parent._id, { delivery, profile }).items(mapping)
    : [];
  return { payload: items[source.itemIndex ?? 0] ?? null, ...shown };
}
