/** Leaves out values that stand for "no value", with a problem that says so. */
import { isPlaceholder, type PlaceholderUse } from '../../domain/people/placeholder.ts';
import { placeholderMessage } from '../transforms/transform.ts';
import { isEmpty, isScalar } from '../value.ts';
import { reportProblem, type MappingRun } from './mapping-run.ts';

const reportPlaceholder = (run: MappingRun): null => {
  run.placeholders += 1;
  return reportProblem(run, 'placeholder_value', placeholderMessage);
};

/** Returns the value, or null when it is a placeholder. Lists and objects are returned as they are. */
export const withoutPlaceholder = (
  use: PlaceholderUse | null,
  value: unknown,
  run: MappingRun,
): unknown =>
  use !== null && isScalar(value) && !isEmpty(value) && isPlaceholder(value, use)
    ? reportPlaceholder(run)
    : value;

/** Returns the only value of a list, beside those that are empty or placeholders; every other value as it is. */
export function onlyElement(use: PlaceholderUse, value: unknown): unknown {
  if (!Array.isArray(value) || value.length > maxElements) return value;
  const given = value.filter((each) => !isEmpty(each));
  const judged = given.filter((each) => !(isScalar(each) && isPlaceholder(each, use)));
  const [only, ...others] = given.length === 1 ? given : judged;
  return others.length === 0 && isScalar(only) ? only : value;
}

const maxElements = 20;
