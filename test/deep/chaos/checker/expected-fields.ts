// The fields that a contact must have, by the documented rule and without the product's code. Each field is independent;
// the last writer wins by date, an undated one by its receipt; then by the order of receipt, which is that of event ids; empty
// never overwrites.
import type { ComposedEvent } from '../load/ledger.ts';

export type Writer = {
  readonly composed: ComposedEvent;
  /** Of the event. */
  readonly id: string;
  /** Of the mapping by which it was last processed. */
  readonly version: number;
  /** Milliseconds. */
  readonly receivedAt: number;
};

type Stamp = readonly [time: number, id: string];

const stampOf = ({ composed, id, receivedAt }: Writer): Stamp => [composed.date ?? receivedAt, id];

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
