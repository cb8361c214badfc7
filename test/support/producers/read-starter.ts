/** Reads a body as the starter mapping of its producer does. */
import type { MappedEvent } from '../../../src/domain/mappings/mapping.ts';
import { applyItem, readEventId, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { detectProducer, producerOf } from '../../../src/producers/registry.ts';

export type Json = Readonly<Record<string, unknown>>;
type Body = { readonly contentType: string; readonly text: string };

export const json = (body: unknown): Body => ({
  contentType: 'application/json',
  text: JSON.stringify(body),
});
export const form = (fields: Record<string, string>): Body => ({
  contentType: 'application/x-www-form-urlencoded',
  text: new URLSearchParams(fields).toString(),
});

export function readStarter(name: string, { contentType, text }: Body) {
  const compiled = compileMapping(producerOf(name).starterMapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const { mapping } = compiled;
  const decoded = producerOf(name).decodeBody({ contentType, body: Buffer.from(text) });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  const payload = { body: decoded.value, headers: {}, query: {} };
  const split = splitItems(mapping, payload);
  if (!split.ok) throw new Error(JSON.stringify(split.message));
  return split.items.map((item) => ({
    id: readEventId(mapping, payload, { item })?.text ?? null,
    mapped: applyItem(mapping, payload, { defaultRegion: 'BR', item }),
    detected: detectProducer(payload)[0]?.name,
  }));
}

export const readOnly = (name: string, body: Body): MappedEvent => {
  const [first, ...others] = readStarter(name, body);
  if (!first || others.length > 0) throw new Error('Not one item.');
  return first.mapped;
};

/** The link of a place. */
export const map = (latitude: string, longitude: string) =>
  `https://maps.google.com/?q=${latitude},${longitude}`;
export const vcard =
  'BEGIN:VCARD\nVERSION:3.0\nFN:Bia Modelo\nTEL;type=CELL;waid=5511900000002:+55 11 90000-0002\nEND:VCARD';
