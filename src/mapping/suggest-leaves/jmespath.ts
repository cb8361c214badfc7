/** Writing JMESPath: names that need quotes get them, whatever the payload calls its keys. */
import type { Scalar } from '../../domain/mappings/mapping.ts';

export const quoteKey = (key: string): string =>
  /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);

export const childPath = (path: string, key: string): string =>
  path === '' ? quoteKey(key) : `${path}.${quoteKey(key)}`;

export const firstElementPath = (path: string): string => `${path}[0]`;

/** The value, at `rest`, of the first entry of a list that is called so. */
export function entryPath(list: string, condition: string, rest: string): string {
  return `${list}[?${condition}]${rest === '' ? '' : `.${rest}`} | [0]`;
}

/** The first entry of a list of which a flag does not hold. */
export const unflaggedElementPath = (list: string, flag: string): string =>
  `${list}[?${childPath('', flag)} != \`true\`] | [0]`;

export function equalsCondition(path: string, value: Scalar): string {
  return `${path}==${typeof value === 'string' ? quote(value) : `\`${String(value)}\``}`;
}

/** Several texts as one. */
export const joinPath = (path: string): string => `join(', ', ${path})`;

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The key that a path ends with; '' where it ends with none. */
export function lastKey(path: string): string {
  const found = /(?:\.|^)(?:(\w+)|("(?:[^"\\]|\\.)*"))(?:\[\d+\])?(?: \| \[0\])?$/.exec(path);
  return found?.[1] ?? (found?.[2] === undefined ? '' : String(JSON.parse(found[2])));
}

/** The path of what holds a field or an element. */
export const parentPath = (path: string): string =>
  path.replace(/(?:\.|^)(?:\w+|"(?:[^"\\]|\\.)*")(?:\[\d\])?$/, '');
