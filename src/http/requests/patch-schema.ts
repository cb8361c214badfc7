/**
 * The schema of a merge patch (RFC 7396), derived from the schema of the patched object: every member may be absent, or
 * null if it is optional. Nested objects are patched likewise, lists are replaced.
 * Required members are checked by the schema of the whole object, after the patch is merged.
 */
import { Type } from 'typebox';
import type { Static, TObject } from 'typebox';
import type { MergePatch } from '../../base/json/merge-patch.ts';

type Schema = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, Schema>>;

const nothing: Schema = { type: 'null' };
const anyOf = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: [...schemas] };

const branchesOf = (schema: Schema): readonly Schema[] =>
  Array.isArray(schema.anyOf) ? (schema.anyOf as Schema[]).flatMap(branchesOf) : [schema];

const isObject = ({ properties, patternProperties }: Schema): boolean =>
  properties !== undefined || patternProperties !== undefined;

/** Null is allowed for every member; whether a member may be removed is checked on the merged object. */
function patched(schema: Schema): Schema {
  const branches = branchesOf(schema);
  const objects = branches.filter(isObject);
  if (objects.length === 0) return schema;
  // A patch may change one kind of object to another: members that only the old kind has are null in it.
  const others = branches.filter((branch) => !isObject(branch));
  return anyOf([...others, objectPatch(objects)]);
}

function objectPatch(objects: readonly Schema[]): Schema {
  const [{ required: _required, minProperties: _minProperties, ...first } = {}] = objects;
  const membersOf = (keyword: string): Schema => {
    const all = objects.flatMap((one) => Object.entries((one[keyword] ?? {}) as Members));
    const names = [...new Set(all.map(([name]) => name))];
    const patchOfMember = (name: string) => {
      const given = all.filter(([other]) => other === name).map(([, member]) => patched(member));
      const different = new Map(given.map((member) => [JSON.stringify(member), member]));
      return anyOf([...[...different.values()].flatMap(branchesOf), nothing]);
    };
    if (names.length === 0) return {};
    return { [keyword]: Object.fromEntries(names.map((name) => [name, patchOfMember(name)])) };
  };
  return { ...first, ...membersOf('properties'), ...membersOf('patternProperties') };
}

/** Returns the schema of a patch with at least one member. */
export const patchSchema = <Whole extends TObject>(whole: Whole) =>
  Type.Unsafe<MergePatch<Static<Whole>>>({
    ...(patched(whole as unknown as Schema) as object),
    minProperties: 1,
  });
