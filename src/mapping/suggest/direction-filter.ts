/** A filter that accepts only incoming messages. */
import type { PayloadWalk } from '../suggest-leaves/add-leaf.ts';
import { exampleOf, nameWords } from '../suggest-leaves/leaf.ts';
import { equalsCondition } from '../suggest-leaves/jmespath.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';

const directions = /^(?:message type|direction|message direction)$/;
const incoming = /^(?:incoming|inbound|received|in)$/i;

/** Returns the expression; undefined when the payloads have no field for the direction, or several. */
export function incomingFilter(index: LeafIndex, flags: PayloadWalk['flags']): string | undefined {
  const falseFlags = [...flags].filter(([, values]) => values.every((value) => !value));
  const leaves = index.leaves.filter(
    (leaf) =>
      directions.test(nameWords(leaf)) &&
      leaf.values.every((value) => incoming.test(String(value))) &&
      !leaf.outside &&
      leaf.text === null,
  );
  const [leaf] = leaves;
  if (leaf !== undefined)
    return leaves.length === 1 ? equalsCondition(leaf.path, exampleOf(leaf)) : undefined;
  const [flag] = falseFlags;
  return flag !== undefined && falseFlags.length === 1 ? `${flag[0]} != \`true\`` : undefined;
}
