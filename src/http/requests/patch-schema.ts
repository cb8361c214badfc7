/**
 * The schema of a merge patch (RFC 7396), out of the schema of what is patched: every member may be left out, or be null
 * where it may be missing; objects within are patched likewise, lists are given whole.
 * What must be there after all is for the whole's own schema to say, once the patch is merged.
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

/** Whether null is for what may be missing or for what must be there, only the merged whole tells. */
function patched(schema: Schema): Schema {
  const branches = branchesOf(schema);
  const objects = branches.filter(isObject);
  if (objects.length === 0) return schema;
  // A patch may lead from one kind of object to another: what the one has and the other lacks is null in it then.
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

/** Of an object, with at least one member given. */
export const patchSchema = <Whole extends TObject>(whole: Whole) =>
  Type.Unsafe<MergePatch<Static<Whole>>>({
    ...(patched(whole as unknown as Schema) as object),
    minProperties: 1,
  } as never);
