/** Finds what marks the receiver's own people in a list of persons, such as the organiser of a meeting or the agent of a chat. */
import { isJsonObject, type JsonObject } from '../../src/base/json/json-values.ts';
import { readName } from '../names/concepts.ts';
import { childPath, elementOfKindPath, unflaggedElementPath } from './jmespath.ts';

const hostFlag =
  /^(?:is_?|eh_?|es_?)?(?:organi[sz]er|organizador|host|anfitriao|staff|internal|agent|bot|self|me)$/i;
const kindKey = /^(?:type|role|kind|tipo|papel|rol)$/i;

interface OtherPerson {
  /** Returns the path of the first person who is not the receiver's. */
  readonly pathIn: (list: string) => string;
  readonly first: unknown;
}

/** Returns the first person who is not the receiver's own; null when no person is said to be. */
export function findOtherPerson(list: readonly unknown[]): OtherPerson | null {
  const [firstItem] = list;
  const keys = isJsonObject(firstItem) ? Object.keys(firstItem) : [];
  const flag = keys.find((key) => hostFlag.test(key));
  const kind = keys.find((key) => kindKey.test(key));
  return (
    (flag === undefined ? null : byFlag(list, flag)) ??
    (kind === undefined ? null : byKind(list, kind))
  );
}

function byFlag(list: readonly unknown[], flag: string): OtherPerson | null {
  const isHost = (each: unknown): boolean => isJsonObject(each) && each[flag] === true;
  if (!list.some(isHost)) return null;
  const first = list.find((each) => !isHost(each));
  return { first, pathIn: (path) => unflaggedElementPath(path, flag) };
}

/** `[{ type: 'agent', … }, { type: 'customer', … }]` */
function byKind(list: readonly unknown[], key: string): OtherPerson | null {
  const kindOf = (each: unknown): string => {
    const kind = isJsonObject(each) ? (each as JsonObject)[key] : null;
    return typeof kind === 'string' ? kind : '';
  };
  const has = (each: unknown, concept: 'actor' | 'person'): boolean =>
    readName(kindOf(each)).concepts.has(concept);
  const first = list.find((each) => has(each, 'person') && !has(each, 'actor'));
  if (first === undefined || !list.some((each) => has(each, 'actor'))) return null;
  return { first, pathIn: (path) => elementOfKindPath(path, childPath('', key), kindOf(first)) };
}
