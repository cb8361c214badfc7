/** Which messages are the contact's: those that say that they came in. */
import type { PayloadWalk } from '../suggest-leaves/add-leaf.ts';
import { exampleOf, nameWords } from '../suggest-leaves/leaf.ts';
import { equalsCondition } from '../suggest-leaves/jmespath.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';
import { splitWords } from '../suggest-names/split-words.ts';

const directions = /^(?:message type|direction|message direction)$/;
const inward = /^(?:incoming|inbound|received|in)$/i;
const outward = /^(?:from me|is outgoing|outgoing|is echo)$/;

/** Whether a key, when it is true, says that the receiver itself wrote the message. */
export const isOutgoingFlag = (key: string): boolean => outward.test(splitWords(key).join(' '));

/** An expression that only incoming messages pass; absent where the payloads say no direction, or several. */
export function incomingFilter(survey: LeafIndex, flags: PayloadWalk['flags']): string | undefined {
  const marks = [...flags].filter(([, values]) => values.every((value) => !value));
  const leaves = survey.leaves.filter(
    (leaf) =>
      directions.test(nameWords(leaf)) &&
      leaf.values.every((value) => inward.test(String(value))) &&
      !leaf.outside &&
      leaf.text === null,
  );
  const [leaf] = leaves;
  if (leaf !== undefined)
    return leaves.length === 1 ? equalsCondition(leaf.path, exampleOf(leaf)) : undefined;
  const [mark] = marks;
  return mark !== undefined && marks.length === 1 ? `${mark[0]} != \`true\`` : undefined;
}
