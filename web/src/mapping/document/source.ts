/** Changes a source of a target: what it reads, how it is combined, and its transforms. */
import { withField } from './template.ts';
import type { Options, Scalar, Source, TransformUse } from './mapping-document.ts';

type CombineKind = 'join' | 'first';

/** How the next chosen field is assigned. `insert` appends it to a template; a number replaces that part. */
export type AssignMode = 'replace' | 'insert' | CombineKind | number;

const optionsOf = ({ transforms, default: fallback, required }: Source): Options => ({
  ...(transforms && { transforms }),
  ...(fallback !== undefined && { default: fallback }),
  ...(required !== undefined && { required }),
});

export const combineKindOf = (source: Source): CombineKind | null =>
  source.join ? 'join' : source.first ? 'first' : null;

/** The parts of a combined source, else the source itself. */
export const partsOf = (source: Source): readonly Source[] =>
  source.join ?? source.first ?? [source];

export const transformNameOf = (use: TransformUse): string =>
  typeof use === 'string' ? use : (Object.keys(use)[0] ?? '');

export const transformOptionsOf = (use: TransformUse): Readonly<Record<string, unknown>> =>
  typeof use === 'string' ? {} : (Object.values(use)[0] ?? {});

/** Without options a transform is only its name. */
export const toTransformUse = (
  name: string,
  options: Readonly<Record<string, unknown>>,
): TransformUse => (Object.keys(options).length === 0 ? name : { [name]: options });

/**
 * Changes what the source reads and keeps its transforms. A `json` transform belongs to the location and is not
 * kept.
 */
function moved(source: Source, next: Source): Source {
  const keptTransforms = (source.transforms ?? []).filter((use) => transformNameOf(use) !== 'json');
  const transforms = [...(next.transforms ?? []), ...keptTransforms];
  const { transforms: _, ...rest } = optionsOf(source);
  const { transforms: _own, ...place } = next;
  return { ...place, ...rest, ...(transforms.length > 0 && { transforms }) };
}

export function assignSource(source: Source | undefined, next: Source, mode: AssignMode): Source {
  if (source === undefined) return next;
  if (typeof mode === 'number') {
    const part = partsOf(source)[mode];
    return part === undefined ? source : withPart(source, mode, moved(part, next));
  }
  if (mode === 'replace') return moved(source, next);
  if (mode === 'insert') return withField(source, next) ?? source;
  if (combineKindOf(source) === mode) return withParts(source, [...partsOf(source), next]);
  const { transforms, ...outer } = optionsOf(source);
  const inner = { ...bare(source), ...(transforms && { transforms }) };
  return { [mode]: [inner, next], ...outer };
}

/** The source without transforms, default and required. */
function bare(source: Source): Source {
  const { transforms: _t, default: _d, required: _r, ...rest } = source;
  return rest;
}

/** A single remaining part needs no combination. */
function withParts(source: Source, parts: readonly Source[]): Source {
  const [only] = parts;
  const combining = combineKindOf(source);
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

/**
 * Sets an option of a transform: of the first use in the source or its parts, else of a new one after the others. Returns the source.
 */
export function withOption(
  source: Source,
  transform: string,
  options: Readonly<Record<string, unknown>>,
): Source {
  const isUse = (use: TransformUse) => transformNameOf(use) === transform;
  const has = ({ transforms = [] }: Source) => transforms.some(isUse);
  const set = (use: TransformUse) =>
    toTransformUse(transform, { ...transformOptionsOf(use), ...options });
  if (has(source)) {
    const uses = source.transforms ?? [];
    const at = uses.findIndex(isUse);
    return withTransforms(
      source,
      uses.map((use, one) => (one === at ? set(use) : use)),
    );
  }
  const at = combineKindOf(source) === null ? -1 : partsOf(source).findIndex(has);
  const part = partsOf(source)[at];
  if (part !== undefined) return withPart(source, at, withOption(part, transform, options));
  return withTransforms(source, [...(source.transforms ?? []), set(transform)]);
}

export function withDefault(source: Source, fallback: Scalar | null): Source {
  const { default: _, ...rest } = source;
  return fallback === null || fallback === '' ? rest : { ...rest, default: fallback };
}

export function withRequired(source: Source, isRequired: boolean): Source {
  const { required: _, ...rest } = source;
  return isRequired ? { ...rest, required: true } : rest;
}
