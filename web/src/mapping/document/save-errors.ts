/** Assigns validation errors to targets, by the JSON pointers of the server. */
import { parsePointer } from '../../api/json-pointer.ts';
import type { TargetName } from './targets.ts';

export type SaveError = {
  readonly path: string;
  readonly message: string;
  /** The error code of the server, and its argument. */
  readonly kind?: string;
  readonly about?: string;
};

export type SaveErrors = ReadonlyMap<TargetName, readonly SaveError[]>;

export const noSaveErrors: SaveErrors = new Map();

/** `split`, `filter`, `removal`, or empty for an error of the whole document. */
export function targetOfPointer(pointer: string): TargetName {
  const [group = '', part, name] = parsePointer(pointer.replace(/^\/mapping(?=\/|$)/, ''));
  if (group !== 'contact' && group !== 'context' && group !== 'message') return group;
  if (part === undefined) return '';
  if (part === 'fields' || part === 'labels') {
    return name === undefined ? '' : `${group}.${part}.${name}`;
  }
  return `${group}.${part}`;
}

/** The name of a missing transform option; null for any other error. */
export const missingOption = ({ kind, path, about }: SaveError): string | null =>
  kind === 'part_missing' && /\/transforms\/\d+\/[^/]+$/.test(path) ? (about ?? null) : null;

/** The argument as a list: the expected types, or the valid choices. */
export const listedValues = ({ about = '' }: SaveError): readonly string[] => about.split(', ');

export function errorsByTarget(errors: readonly SaveError[]): SaveErrors {
  const found = new Map<TargetName, SaveError[]>();
  for (const error of errors) {
    const target = targetOfPointer(error.path);
    found.set(target, [...(found.get(target) ?? []), error]);
  }
  return found;
}
