/** Fields for the answers of forms and for the city, company and job of the contact. */
import type { Source } from '../src/domain/mappings/mapping.ts';
import { matchName, sourceOfLeaf } from './candidate.ts';
import { readName, hasConcept } from './names/concepts.ts';
import { textOf, type Leaf } from './leaves/leaf.ts';
import { lastKey } from './leaves/jmespath.ts';
import { isEmail } from './leaves/value-shape.ts';
import type { LeafIndex } from './leaf-index.ts';

const maxFields = 20;
const maxNameLength = 64;
const maxValueLength = 1_000;

/** Returns sources by the field's name in the payload. `used` are the paths that targets already read. */
export function contactFields(index: LeafIndex, used: ReadonlySet<string>): Record<string, Source> {
  return fieldsOf(
    index.leaves.filter((leaf) => isOfContact(leaf, index)),
    used,
  );
}

/** Returns sources of tracking parameters other than campaign and origin. */
export function contextFields(index: LeafIndex, used: ReadonlySet<string>): Record<string, Source> {
  const isTracking = ({ names }: Leaf): boolean =>
    /^utm[ _-]?(?:medium|content|term)$/i.test(names[0]?.text ?? '');
  return fieldsOf(index.leaves.filter(isTracking), used);
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

// A long name of letters and digits is an id of the sender.
const isFieldName = (name: string): boolean =>
  name.length > 0 &&
  name.length <= maxNameLength &&
  !/\p{Cc}/u.test(name) &&
  /\p{L}{2}/u.test(name) &&
  !(/\d/.test(name) && !/\s/.test(name) && name.length > 12) &&
  !['__proto__', 'constructor', 'prototype'].includes(name);

/** Whether a field tells something about the contact: an answer, or a city, company or job. */
export function isOfContact(leaf: Leaf, index: LeafIndex): boolean {
  const { score } = index.ownership(leaf);
  const [own] = leaf.names;
  if (score < 0 || own === undefined || /utm/i.test(own.text) || leaf.outside) return false;
  if (hasConcept(own.reading, 'eventDate', 'id')) return false;
  if (describesContactPoint(leaf, index) || hasConcept(readName(lastKey(leaf.path)), 'id'))
    return false;
  if (leaf.answer) return true;
  return (
    matchName(leaf, ['extra']).weight === 1 &&
    (score > 0 || index.siblingTraitCount(leaf, null) > 0)
  );
}

/** Whether the leaf describes a phone number or an e-mail address, such as its kind, and is not one. */
function describesContactPoint(leaf: Leaf, index: LeafIndex): boolean {
  const isNamedAfterOne = hasConcept(leaf.names[0]?.reading, 'phone', 'mobile', 'email');
  const text = textOf(leaf);
  return isNamedAfterOne && !isEmail(text) && index.phoneLikeness(text) === 0;
}
