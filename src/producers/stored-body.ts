/**
 * The one reader of stored bodies: decodes a body as its producer sent it, and splits it into the items of its events.
 *
 * Promises: a body is decoded once and split once for each mapping, however many of its items are read one after another.
 * Memory is bounded: of the bodies that many events share, the last 2 MiB stay decoded, and always the last one.
 */
import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { InboundRequest } from '../domain/events/event.ts';
import type { Payload } from '../domain/mappings/mapping.ts';
import { splitItems, type SplitResult } from '../mapping/evaluation/apply.ts';
import { createVersionCache, type StoredMappings } from '../mapping/evaluation/version-cache.ts';
import type { CompiledMapping } from '../mapping/language/compile.ts';
import { anyFormatBody, looksLikeJson } from './decode/body.ts';
import { decodeJson } from './decode/json.ts';
import type { Decoded, Producer, RawBody } from './producer.ts';
import { producerOf } from './registry.ts';

/** A body, with the producer profile of its webhook. */
type BodySource = {
  readonly delivery: InboundRequest | null;
  readonly profile: string;
};

/** Decodes a body that is not stored yet, as its producer sends it. Never throws. */
export const decodeGiven = ({ body, contentType }: RawBody, profile: string): Decoded =>
  producerOf(profile).decodeBody({ contentType, body });

/** Decodes the body of a stored request or sample, as processing does. Never throws. */
export const decodeStored = ({ body, contentType }: RawBody, profile: string): Decoded =>
  decodeKept({ body, contentType }, producerOf(profile));

/** The webhook may have had another producer when the body came. Its content type then says how to read it. */
export function decodeKept(raw: RawBody, producer: Producer): Decoded {
  const decoded = producer.decodeBody(raw);
  if (decoded.ok) return decoded;
  const byType = anyFormatBody.decodeBody(raw);
  if (byType.ok) return byType;
  // A person takes a rejected request as an event although its content type says something else.
  const isMistyped = byType.code === 'unsupported_media_type' && looksLikeJson(raw.body);
  const asJson = isMistyped ? decodeJson(raw.body) : byType;
  return asJson.ok ? asJson : decoded;
}

/** Returns null when the body cannot be decoded. */
export function storedValue(raw: RawBody, profile: string): unknown {
  const decoded = decodeStored(raw, profile);
  return decoded.ok ? decoded.value : null;
}

type StoredBodiesDeps = {
  readonly mappings: StoredMappings;
  readonly producerOf?: (profile: string) => Producer;
};

const maxSharedBytes = 2_097_152;

type Shared = {
  readonly delivery: InboundRequest;
  readonly profile: string;
  readonly body: StoredBody;
};

export type StoredBodies = ReturnType<typeof createStoredBodies>;

export function createStoredBodies({ mappings, producerOf: find = producerOf }: StoredBodiesDeps) {
  const shared = new LRUCache<string, Shared>({
    maxSize: maxSharedBytes,
    // A body that is larger than all the memory for them is kept alone.
    sizeCalculation: ({ delivery }) => Math.min(delivery.body.length || 1, maxSharedBytes),
  });

  /** Reads a body that belongs to one event. */
  const read = ({ delivery, profile }: BodySource): StoredBody =>
    createStoredBody(delivery, find(profile));

  return {
    /** Returns null when the version does not exist or does not compile. Compiled versions are cached. */
    compiledMapping: createVersionCache(mappings),
    read,
    /** Reads a body whose items are events of their own; `id` is the event that holds it. */
    readShared(id: string, source: BodySource): StoredBody {
      const { delivery, profile } = source;
      if (!delivery) return read(source);
      const known = shared.get(id);
      // A resend or an erasure may have given the event another body.
      const isKnown = known?.profile === profile && isDeepStrictEqual(known.delivery, delivery);
      if (isKnown) return known.body;
      const body = read(source);
      shared.set(id, { delivery, profile, body });
      return body;
    },
  };
}

export type StoredBody = ReturnType<typeof createStoredBody>;

function createStoredBody(delivery: InboundRequest | null, producer: Producer) {
  let decoded: { readonly payload: Payload | null } | undefined;
  const splits = new Map<CompiledMapping, SplitResult | null>();

  function decode(): Payload | null {
    if (!delivery) return null;
    const { body, contentType, headers, query } = delivery;
    const decoded = decodeKept({ contentType, body }, producer);
    return decoded.ok ? { body: decoded.value, headers, query } : null;
  }

  /** Returns null when the body is not kept any more or cannot be decoded. */
  const payload = (): Payload | null => (decoded ??= { payload: decode() }).payload;

  /** Splits the body by this mapping. Returns null when there is no payload. */
  function split(mapping: CompiledMapping): SplitResult | null {
    const known = splits.get(mapping);
    if (known !== undefined) return known;
    const found = payload();
    const result = found && splitItems(mapping, found);
    splits.set(mapping, result);
    return result;
  }

  return {
    payload,
    split,
    /** The items that this mapping splits the body into; empty when it cannot be split. */
    items(mapping: CompiledMapping): readonly unknown[] {
      const result = split(mapping);
      return result?.ok ? result.items : [];
    },
  };
}
