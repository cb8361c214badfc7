/** Builds JMESPath expressions. Keys and values are quoted where necessary. */
import type { Scalar } from '../../src/domain/mappings/mapping.ts';

const quoteKey = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));

export const childPath = (path: string, key: string): string =>
  path === '' ? quoteKey(key) : `${path}.${quoteKey(key)}`;

export const firstElementPath = (path: string): string => `${path}[0]`;

/** Returns the path of the value, at `rest`, of the first entry that meets a condition. */
export function entryPath(list: string, condition: string, rest: string): string {
  return `${list}[?${condition}]${rest === '' ? '' : `.${rest}`} | [0]`;
}

/** Returns the path of the first entry whose flag is not true. */
export const unflaggedElementPath = (list: string, flag: string): string =>
  `${list}[?${childPath('', flag)} != \`true\`] | [0]`;

/** Returns the path of the first entry of a kind. */
export const elementOfKindPath = (list: string, key: string, kind: string): string =>
  `${list}[?${equalsCondition(key, kind)}] | [0]`;

export function equalsCondition(path: string, value: Scalar): string {
  return `${path}==${typeof value === 'string' ? quote(value) : `\`${String(value)}\``}`;
}

/** Joins a list of texts with commas. */
export const joinPath = (path: string): string => `join(', ', ${path})`;

/** Joins a list of texts with commas, and returns a single text as it is. */
export function joinAnyPath(path: string): string {
  const each = path.includes('|') ? `(${path})` : path;
  return `${each} && join(', ', to_array(${path}))`;
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Returns the last key of a path; '' when it does not end with a key. */
export function lastKey(path: string): string {
  const found = /(?:\.|^)(?:(\w+)|("(?:[^"\\]|\\.)*"))(?:\[\d+\])?(?: \| \[0\])?$/.exec(path);
  return found?.[1] ?? (found?.[2] === undefined ? '' : String(JSON.parse(found[2])));
}

/** Returns the path of the object or list that contains a field or an element. */
export const parentPath = (path: string): string =>
  path.replace(/(?:\.|^)(?:\w+|"(?:[^"\\]|\\.)*")(?:\[\d\])?$/, '');
