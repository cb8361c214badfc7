import type { TransformUse } from '../domain/mapping.ts';
import { at } from './compilation.ts';
import type { Compilation, Place } from './compilation.ts';
import type { Run } from './run.ts';
import { messageOf, report } from './run.ts';
import type { Transform } from './transform.ts';
import { transforms } from './transforms/registry.ts';
import { isEmpty, isScalar } from './value.ts';

/** One use of a transform, ready to be applied. */
type Step = (value: unknown, run: Run) => unknown;

export function compileSteps(uses: TransformUse[], place: Place, compilation: Compilation): Step[] {
  return uses.flatMap((use, i) => {
    const [name, options] = typeof use === 'string' ? [use, {}] : (Object.entries(use)[0] ?? []);
    const transform = name === undefined ? undefined : transforms.get(name);
    if (transform === undefined || options === undefined) return [];
    const message = transform.check?.(options) ?? null;
    if (message !== null) {
      const { pointer } = at(
        place,
        'transforms',
        i,
        ...(typeof use === 'string' ? [] : [transform.name]),
      );
      compilation.problems.push({ path: pointer, message });
    }
    return [(value: unknown, run: Run) => applyTransform(transform, value, { run, options })];
  });
}

export function applyTransform(
  transform: Transform,
  value: unknown,
  { run, options }: { run: Run; options: Record<string, unknown> },
): unknown {
  if (isEmpty(value)) return null;
  if (!isScalar(value)) {
    return report(
      run,
      'not_text',
      `The value is a list or an object; ${transform.name} reads a text.`,
    );
  }
  try {
    const result = transform.apply(value, { options, region: run.region });
    return 'value' in result ? result.value : report(run, result.problem, result.message);
  } catch (error) {
    return report(run, 'transform_failed', messageOf(error));
  }
}
