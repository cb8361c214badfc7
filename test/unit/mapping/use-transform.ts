/** Applies one transform in a mapping and returns the result of its step. */
import type { ProblemCode, TransformUse } from '../../../src/domain/mappings/mapping.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { previewItems } from '../../../src/mapping/evaluation/preview.ts';
import { payloadOf } from './example-mapping.ts';

type Used = { after: unknown; problem: ProblemCode | null };

export function problemsOf(use: unknown): string[] {
  const result = compileMapping({ message: { text: { path: 'a', transforms: [use] } } });
  return result.ok ? [] : result.problems.map(({ path }) => path);
}

export function use(transform: TransformUse, from: unknown, item: unknown = {}): Used {
  const source = { path: 'from', transforms: [transform] };
  const result = compileMapping({ contact: { fields: { f: source } } });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const body = { ...(item as object), from };
  const items = [...previewItems(result.mapping, payloadOf(body), { defaultRegion: 'BR' })];
  const [step] = items[0]?.sources['contact.fields.f']?.steps ?? [];
  return { after: step?.after ?? null, problem: step?.problem ?? null };
}
