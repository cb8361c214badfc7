/** Previews, comparisons, suggestions and repairs of mappings. They have no effects, and are limited as `Computing` says. */
import { invalidField } from '../../base/errors.ts';
import { textWith } from '../../base/texts/texts.ts';
import { inboundOf } from '../../channels/registry.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { EventRecord, InboundRequest } from '../../domain/events/event.ts';
import type { Preview } from '../../mapping/evaluation/preview.ts';
import type { ApiContext } from '../context.ts';
import { readWithBody, sendPayload, type PayloadInput } from '../samples/payload.ts';
import type { DiffedEvent, MappingDiff } from './compute-diff.ts';
import { readTarget } from './mappings.ts';
import { getMapping } from '../../store/webhooks/mappings.ts';

type PreviewInput = {
  readonly webhookId: string;
  readonly mapping?: unknown;
  readonly version?: number;
  readonly payload: PayloadInput;
};

export async function previewMapping(
  ctx: ApiContext,
  { payload, ...given }: PreviewInput,
  { tokenId }: Actor,
): Promise<Preview> {
  const { webhook, region } = await readTarget(ctx, given.webhookId);
  return ctx.computing.compute(tokenId, 'preview', async () => ({
    mapping: await chooseMapping(ctx, given),
    payload: sendPayload(payload),
    profile: webhook.producerProfile,
    region,
  }));
}

async function chooseMapping(
  ctx: ApiContext,
  { webhookId, mapping, version }: Omit<PreviewInput, 'payload'>,
): Promise<unknown> {
  if ((mapping === undefined) === (version === undefined)) {
    throw invalidField(
      '/mapping',
      textWith('field.either_required', { one: 'mapping', other: 'version' }),
    );
  }
  if (version === undefined) return mapping;
  const found = await getMapping(ctx, webhookId, version);
  if (found) return found.mapping;
  throw invalidField('/version', 'field.other_version');
}

type DiffInput = {
  readonly webhookId: string;
  readonly mapping: unknown;
  readonly last?: number;
};

const defaultLast = 200;
/** Of the bodies that are compared. */
const maxBytes = 33_554_432;

/** Compares a candidate with the active version over the last stored events. */
export async function diffMapping(
  ctx: ApiContext,
  { webhookId, mapping: candidate, last = defaultLast }: DiffInput,
  { tokenId }: Actor,
): Promise<MappingDiff> {
  const { webhook, region } = await readTarget(ctx, webhookId);
  const { activeVersion, producerProfile: profile } = webhook;
  return ctx.computing.compute(tokenId, 'diff', async () => {
    const found = activeVersion === null ? null : await getMapping(ctx, webhookId, activeVersion);
    const events = await readLatest(ctx, webhookId, last);
    return { profile, active: found?.mapping ?? null, candidate, region, events };
  });
}

async function readLatest(
  { events }: ApiContext,
  webhookId: string,
  last: number,
): Promise<DiffedEvent[]> {
  const found: DiffedEvent[] = [];
  let bytes = 0;
  for await (const event of events.streamLatestBodies(webhookId, last)) {
    bytes += event.bodyBytes;
    if (bytes > maxBytes) break;
    found.push({ ...comparedOf(event), externalId: event.externalId });
  }
  return found;
}

type SuggestionInput = {
  readonly webhookId: string;
  readonly payloads?: readonly PayloadInput[];
  readonly sampleIds?: readonly string[];
};

export async function suggestMapping(
  ctx: ApiContext,
  { webhookId, payloads, sampleIds }: SuggestionInput,
  { tokenId }: Actor,
) {
  const { webhook, channel, region } = await readTarget(ctx, webhookId);
  const isOfChannel = channel !== null && inboundOf(channel, webhook) !== null;
  return ctx.computing.compute(tokenId, 'suggestion', async () => {
    if ((payloads === undefined) === (sampleIds === undefined)) {
      throw invalidField(
        '/payloads',
        textWith('field.either_required', { one: 'payloads', other: 'sampleIds' }),
      );
    }
    return {
      payloads: (payloads ?? []).map(sendPayload),
      samples: await readSamples(ctx, webhookId, sampleIds ?? []),
      profile: webhook.producerProfile,
      region,
      isOfChannel,
    };
  });
}

async function readSamples(
  { samples }: ApiContext,
  webhookId: string,
  ids: readonly string[],
): Promise<InboundRequest[]> {
  const found: InboundRequest[] = [];
  for (const [n, id] of ids.entries()) {
    const sample = await samples.get(webhookId, id);
    if (!sample) throw invalidField(`/sampleIds/${n}`, 'field.other_sample');
    found.push(requestOf(sample));
  }
  return found;
}

type RepairInput = {
  readonly webhookId: string;
  readonly eventId: string;
  /** The default is the active version. */
  readonly version?: number | undefined;
};

/** How many of the last successful events are compared with the failed one. */
const maxWorked = 10;

export async function repairMapping(
  ctx: ApiContext,
  { webhookId, eventId, version: given }: RepairInput,
  { tokenId }: Actor,
) {
  const { webhook, region } = await readTarget(ctx, webhookId);
  const wanted = given ?? webhook.activeVersion;
  const found = wanted === null ? null : await getMapping(ctx, webhookId, wanted);
  if (!found) throw invalidField('/version', 'field.other_version');
  const { version, mapping: document } = found;
  const failed = await readWithBody(ctx, webhookId, eventId);
  const repaired = await ctx.computing.compute(tokenId, 'repair', async () => {
    const done = await ctx.events.findDoneBodies(webhookId, maxWorked);
    const others = done.filter(({ _id }) => _id !== failed._id).map(comparedOf);
    const profile = webhook.producerProfile;
    return { document, failed: comparedOf(failed), others, profile, region };
  });
  return { ...repaired, version };
}

const comparedOf = ({ _id, bodyBytes, delivery }: EventRecord) => ({
  eventId: _id,
  bodyBytes,
  delivery: delivery && requestOf(delivery),
});

const requestOf = ({ body, contentType, headers, query }: InboundRequest): InboundRequest => ({
  // MongoDB may return its own binary type.
  body: Buffer.from(body),
  contentType,
  headers,
  query,
});
