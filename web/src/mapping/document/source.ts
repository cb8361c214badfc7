/** Changing a source: what it reads, what it is combined with, and what is done to it. */
import type { Options, Scalar, Source, TransformUse } from './mapping-document.ts';

export type Combining = 'join' | 'first';

/** How what is chosen next is taken. A number: in the place of that part. */
export type Taking = 'replace' | Combining | number;

const optionsOf = ({ transforms, default: fallback, required }: Source): Options => ({
  ...(transforms && { transforms }),
  ...(fallback !== undefined && { default: fallback }),
  ...(required !== undefined && { required }),
});

export const combiningOf = (source: Source): Combining | null =>
  source.join ? 'join' : source.first ? 'first' : null;

/** What it is made of: its parts, or itself. */
export const partsOf = (source: Source): readonly Source[] =>
  source.join ?? source.first ?? [source];

export const nameOf = (use: TransformUse): string =>
  typeof use === 'string' ? use : (Object.keys(use)[0] ?? '');

export const optionsOfUse = (use: TransformUse): Readonly<Record<string, unknown>> =>
  typeof use === 'string' ? {} : (Object.values(use)[0] ?? {});

/** Without options it is its name alone. */
export const useOf = (name: string, options: Readonly<Record<string, unknown>>): TransformUse =>
  Object.keys(options).length === 0 ? name : { [name]: options };

/** Reads elsewhere, and keeps what is done to it; opening JSON belongs to the place. */
function moved(source: Source, next: Source): Source {
  const kept = (source.transforms ?? []).filter((use) => nameOf(use) !== 'json');
  const transforms = [...(next.transforms ?? []), ...kept];
  const { transforms: _, ...rest } = optionsOf(source);
  const { transforms: _own, ...place } = next;
  return { ...place, ...rest, ...(transforms.length > 0 && { transforms }) };
}

export function take(source: Source | undefined, next: Source, taking: Taking): Source {
  if (source === undefined) return next;
  if (typeof taking === 'number') {
    const part = partsOf(source)[taking];
    return part === undefined ? source : withPart(source, taking, moved(part, next));
  }
  if (taking === 'replace') return moved(source, next);
  if (combiningOf(source) === taking) return withParts(source, [...partsOf(source), next]);
  const { transforms, ...outer } = optionsOf(source);
  const inner = { ...bare(source), ...(transforms && { transforms }) };
  return { [taking]: [inner, next], ...outer };
}

/** Without what stands beside it. */
function bare(source: Source): Source {
  const { transforms: _t, default: _d, required: _r, ...rest } = source;
  return rest;
}

/** One part that is left needs no combining. */
export function withParts(source: Source, parts: readonly Source[]): Source {
  const [only] = parts;
  const combining = combiningOf(source);
  if (combining === null || only === undefined) return only ?? source;
  if (parts.length > 1) return { ...source, [combining]: parts };
  const { transforms = [], ...rest } = optionsOf(source);
  const all = [...(only.transforms ?? []), ...transforms];
  const { transforms: _, ...place } = only;
  return { ...place, ...rest, ...(all.length > 0 && { transforms: all }) };
}

export const withPart = (source: Source, at: number, next: Source): Source =>
  withParts(
    source,
    partsOf(source).map((part, one) => (one === at ? next : part)),
  );

export const withoutPart = (source: Source, at: number): Source =>
  withParts(
    source,
    partsOf(source).filter((_, one) => one !== at),
  );

export function withTransforms(source: Source, transforms: readonly TransformUse[]): Source {
  const { transforms: _, ...rest } = source;
  return transforms.length === 0 ? rest : { ...rest, transforms };
}

export function withDefault(source: Source, fallback: Scalar | null): Source {
  const { default: _, ...rest } = source;
  return fallback === null || fallback === '' ? rest : { ...rest, default: fallback };
}

export function withRequired(source: Source, isRequired: boolean): Source {
  const { required: _, ...rest } = source;
  return isRequired ? { ...rest, required: true } : rest;
}
