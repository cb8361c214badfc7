/** What is wrong at a target, in words: why it would not be saved, and what of the shown payload cannot be read. */
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useIntl } from 'react-intl';
import type { Source, TransformUse } from '../document/mapping-document.ts';
import { readTarget, type TargetName } from '../document/targets.ts';
import { nameOf, optionsOfUse } from '../document/source.ts';
import { useEditing } from '../editor-context.tsx';
import { useRefusalWords } from './save-errors.tsx';

/** The codes that have words of their own; for others the server's are shown. */
const known = new Set(
  (
    'path_failed filter_failed split_failed split_not_array too_many_items not_text too_long required_missing ' +
    'invalid_phone invalid_email invalid_document invalid_date zone_unknown invalid_number invalid_boolean ' +
    'invalid_json transform_failed too_much_work'
  ).split(' '),
);

const regionIn = (use: TransformUse): unknown =>
  nameOf(use) === 'phone' ? optionsOfUse(use).region : undefined;

/** The country that the mapping says its numbers are of. */
function regionOf(source: Source | undefined): string | null {
  const parts = [source, ...(source?.join ?? source?.first ?? [])];
  const found = parts
    .flatMap((part) => part?.transforms ?? [])
    .map(regionIn)
    .find((region) => typeof region === 'string');
  return typeof found === 'string' ? found : null;
}

type Problem = { readonly code: string; readonly message: string };

function useProblemWords(): (problem: Problem, source: Source | undefined) => string {
  const { formatMessage, formatDisplayName } = useIntl();
  const { region: ofChannel } = useEditing();
  return ({ code, message }, source) => {
    if (!known.has(code)) return message;
    const region = code === 'invalid_phone' ? (regionOf(source) ?? ofChannel) : null;
    if (region === null) return formatMessage({ id: `mapping.problem.${code}` });
    const country = formatDisplayName(region, { type: 'region', fallback: 'code' }) ?? region;
    return formatMessage({ id: 'mapping.problem.phoneIn' }, { country });
  };
}

export function useProblems(target: TargetName) {
  const { draft, refusals: all, item } = useEditing();
  const wordsOf = useProblemWords();
  const source = readTarget(draft.document, target);
  const refusals = (all.get(target) ?? []).map(useRefusalWords());
  const found = (item?.problems ?? [])
    .filter((problem) => problem.target === target)
    .map((problem) => wordsOf(problem, source));
  return { refusals: [...new Set(refusals)], found: [...new Set(found)] };
}

export function Problems({ target }: { readonly target: TargetName }) {
  const { refusals, found } = useProblems(target);
  return (
    <div className="problems" aria-live="polite">
      {refusals.map((words) => (
        <p key={words} className="problem bad">
          <CircleAlert aria-hidden /> <span className="break">{words}</span>
        </p>
      ))}
      {refusals.length === 0 &&
        found.map((words) => (
          <p key={words} className="problem warn">
            <TriangleAlert aria-hidden /> <span className="break">{words}</span>
          </p>
        ))}
    </div>
  );
}
