/** What else is worth keeping: answers that are no target of their own, and where somebody lives and works. */
import type { Source } from '../../domain/mappings/mapping.ts';
import { matchName, sourceOfLeaf } from '../suggest-candidates/candidate.ts';
import { readName } from '../suggest-names/concepts.ts';
import { textOf } from '../suggest-leaves/leaf.ts';
import type { Leaf } from '../suggest-leaves/leaf.ts';
import { lastKey } from '../suggest-leaves/jmespath.ts';
import { isEmail } from '../suggest-candidates/value-shape.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';

const maxFields = 20;
const maxNameLength = 64;
const maxValueLength = 1_000;

/** Sources by the name that the field has in the payload. `used` are the paths that targets read already. */
export function contactFields(
  survey: LeafIndex,
  used: ReadonlySet<string>,
): Record<string, Source> {
  return fieldsOf(
    survey.leaves.filter((leaf) => isOfContact(leaf, survey)),
    used,
  );
}

/** What tracking said besides campaign and origin. */
export function contextFields(
  survey: LeafIndex,
  used: ReadonlySet<string>,
): Record<string, Source> {
  const isTracking = ({ names }: Leaf): boolean =>
    /^utm[ _-]?(?:medium|content|term)$/i.test(names[0]?.text ?? '');
  return fieldsOf(survey.leaves.filter(isTracking), used);
}

function fieldsOf(leaves: readonly Leaf[], used: ReadonlySet<string>): Record<string, Source> {
  const fields = new Map<string, Source>();
  for (const leaf of leaves) {
    const name = leaf.names[0]?.text.trim() ?? '';
    if (fields.size >= maxFields || used.has(leaf.path) || !isFieldName(name)) continue;
    if (textOf(leaf).length <= maxValueLength && !fields.has(name))
      fields.set(name, sourceOfLeaf(leaf));
  }
  return Object.fromEntries(fields);
}

// A name of digits and letters that nobody reads is an id of the sender's.
const isFieldName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= maxNameLength &&
  !/\p{Cc}/u.test(name) &&
  /\p{L}{2}/u.test(name) &&
  !(/\d/.test(name) && !/\s/.test(name) && name.length > 12) &&
  !['__proto__', 'constructor', 'prototype'].includes(name);

function isOfContact(leaf: Leaf, survey: LeafIndex): boolean {
  const { score } = survey.ownership(leaf);
  const [own] = leaf.names;
  if (score < 0 || own === undefined || /utm/i.test(own.text) || leaf.outside) return false;
  if (own.reading.concepts.has('eventDate') || own.reading.concepts.has('id')) return false;
  if (isBesidePoint(leaf, survey) || readName(lastKey(leaf.path)).concepts.has('id')) return false;
  if (leaf.answer) return true;
  return (
    matchName(leaf, ['extra']).weight === 1 &&
    (score > 0 || survey.siblingTraitCount(leaf, null) > 0)
  );
}

/** What a list of telephones or addresses says besides them, such as their kinds and numbers. */
function isBesidePoint(leaf: Leaf, survey: LeafIndex): boolean {
  const own = leaf.names[0]?.reading.concepts;
  const isCalledOne = ['phone', 'mobile', 'email'].some((each) => own?.has(each as 'phone'));
  const text = textOf(leaf);
  return isCalledOne && !isEmail(text) && survey.phoneLikeness(text) === 0;
}
