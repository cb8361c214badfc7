/** A delivery as its events read it: decoded once and split once, however many items of it are read. */
import type { InboundRequest } from '../../domain/events/event.ts';
import type { Payload } from '../../domain/mappings/mapping.ts';
import { splitItems } from '../../mapping/evaluation/apply.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import type { Producer } from '../../producers/producer.ts';

export type DecodedBody = {
  /** Null where the body cannot be decoded. */
  payload(): Payload | null;
  /** The items that a mapping makes of it; none where it makes none. */
  items(mapping: CompiledMapping): readonly unknown[];
};

export function createContent(delivery: InboundRequest | null, producer: Producer): DecodedBody {
  let decoded: { readonly payload: Payload | null } | undefined;
  const split = new Map<CompiledMapping, readonly unknown[]>();

  function decode(): Payload | null {
    if (!delivery) return null;
    const { body, contentType, headers, query } = delivery;
    const result = producer.decodeBody({ contentType, body });
    return result.ok ? { body: result.value, headers, query } : null;
  }

  function splitBy(mapping: CompiledMapping): readonly unknown[] {
    const payload = content.payload();
    const result = payload && splitItems(mapping, payload);
    return result?.ok ? result.items : [];
  }

  const content: DecodedBody = {
    payload: () => (decoded ??= { payload: decode() }).payload,
    items(mapping) {
      const items = split.get(mapping) ?? splitBy(mapping);
      split.set(mapping, items);
      return items;
    },
  };
  return content;
}
