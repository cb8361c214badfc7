/** Which messages are the contact's: those that say that they came in. */
import type { Walk } from './emit.ts';
import { exampleOf, ownWords } from './leaf.ts';
import { equals } from './path.ts';
import type { Survey } from './survey.ts';
import { wordsOf } from './words.ts';

const directions = /^(?:message type|direction|message direction)$/;
const inward = /^(?:incoming|inbound|received|in)$/i;
const outward = /^(?:from me|is outgoing|outgoing|is echo)$/;

/** Whether a key, when it is true, says that the receiver itself wrote the message. */
export const saysOutward = (key: string): boolean => outward.test(wordsOf(key).join(' '));

/** An expression that only incoming messages pass; absent where the payloads say no direction, or several. */
export function filterOf(survey: Survey, flags: Walk['flags']): string | undefined {
  const marks = [...flags].filter(([, values]) => values.every((value) => !value));
  const leaves = survey.leaves.filter(
    (leaf) =>
      directions.test(ownWords(leaf)) &&
      leaf.values.every((value) => inward.test(String(value))) &&
      !leaf.outside &&
      leaf.text === null,
  );
  const [leaf] = leaves;
  if (leaf !== undefined)
    return leaves.length === 1 ? equals(leaf.path, exampleOf(leaf)) : undefined;
  const [mark] = marks;
  return mark !== undefined && marks.length === 1 ? `${mark[0]} != \`true\`` : undefined;
}
