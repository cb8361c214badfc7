/** Which target a refusal is about, from the pointer that the server gives. */
import { keysOf } from '../../api/json-pointer.ts';
import type { TargetName } from './targets.ts';

export type Refusal = {
  readonly path: string;
  readonly message: string;
  /** The server's word for it, and what it is about. */
  readonly kind?: string;
  readonly about?: string;
};

export type Refusals = ReadonlyMap<TargetName, readonly Refusal[]>;

export const noRefusals: Refusals = new Map();

/** `split`, `filter`, or empty for what is about the whole document. */
export function targetOfPointer(pointer: string): TargetName {
  const [room = '', part, name] = keysOf(pointer.replace(/^\/mapping(?=\/|$)/, ''));
  if (room !== 'contact' && room !== 'context' && room !== 'message') return room;
  if (part === undefined) return '';
  if (part === 'fields' || part === 'labels') {
    return name === undefined ? '' : `${room}.${part}.${name}`;
  }
  return `${room}.${part}`;
}

/** The option of a transform that is missing there; null for any other part. */
export const missingOption = ({ kind, path, about }: Refusal): string | null =>
  kind === 'part_missing' && /\/transforms\/\d+\/[^/]+$/.test(path) ? (about ?? null) : null;

/** What it is about one by one: the types that were expected, or the choices there are. */
export const eachOf = ({ about = '' }: Refusal): readonly string[] => about.split(', ');

export function byTarget(refusals: readonly Refusal[]): Refusals {
  const found = new Map<TargetName, Refusal[]>();
  for (const refusal of refusals) {
    const target = targetOfPointer(refusal.path);
    found.set(target, [...(found.get(target) ?? []), refusal]);
  }
  return found;
}
