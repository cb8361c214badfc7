// The fields that a contact must have, by the documented rule and without the product's code. Each field is independent;
// the last writer wins by date, then (webhook, event id) or else (webhook, hash of the body), both hashed; undated loses to
// dated and ranks by receipt; empty never overwrites.
import { createHash } from 'node:crypto';
import type { ComposedEvent } from '../load/ledger.ts';

export type Writer = {
  readonly composed: ComposedEvent;
  readonly webhookId: string;
  /** Of the mapping by which it was last processed. */
  readonly version: number;
  /** Milliseconds. */
  readonly receivedAt: number;
  /** As it was sent; its hash breaks ties between events without an event id. */
  readonly body: string;
};

type Stamp = readonly [dated: number, time: number, tie: string];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const stampOf = ({ composed, webhookId, receivedAt, body }: Writer): Stamp => [
  composed.date === null ? 0 : 1,
  composed.date ?? receivedAt,
  composed.eventId === null
    ? `b${sha256(`${webhookId}:${sha256(body)}`)}`
    : `e${sha256(`${webhookId}:${composed.eventId}`)}`,
];

function beats(one: Stamp, other: Stamp): boolean {
  for (const [index, part] of one.entries()) {
    const against = other[index] ?? 0;
    if (part !== against) return part > against;
  }
  return false;
}

const fieldsSentBy = ({ composed, version }: Writer) =>
  version > 1 ? { ...composed.fields, ...composed.improved } : composed.fields;

export function expectedFields(writers: readonly Writer[]): Record<string, string> {
  const fields = new Map<string, { value: string; stamp: Stamp }>();
  for (const writer of writers) {
    const stamp = stampOf(writer);
    for (const [name, value] of Object.entries(fieldsSentBy(writer))) {
      const current = fields.get(name);
      if (!current || beats(stamp, current.stamp)) fields.set(name, { value, stamp });
    }
  }
  return Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
}
