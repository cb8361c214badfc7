/** Problems of a target as text: validation errors, and errors in the shown payload. */
import { CircleAlert, TriangleAlert } from 'lucide-react';
import { useIntl } from 'react-intl';
import type { Source, TransformUse } from '../document/mapping-document.ts';
import { readTarget, type TargetName } from '../document/targets.ts';
import { transformNameOf, transformOptionsOf } from '../document/source.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { PlaceOffers } from './place-offers.tsx';
import { useSaveErrorText } from './save-errors.tsx';
import styles from './targets.module.css';

/** Codes with their own messages; for others the server's message is shown. */
const known = new Set(
  (
    'path_failed filter_failed removal_failed split_failed split_not_array too_many_items too_many_names too_many_identities not_text too_long ' +
    'required_missing invalid_phone invalid_email invalid_document invalid_date zone_unknown invalid_number invalid_boolean ' +
    'invalid_json transform_failed too_much_work placeholder_value message_empty'
  ).split(' '),
);

const regionIn = (use: TransformUse): unknown =>
  transformNameOf(use) === 'phone' ? transformOptionsOf(use).region : undefined;

/** The country set in the phone transform. */
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
  const { region: ofChannel } = useMappingEditor();
  return ({ code, message }, source) => {
    if (!known.has(code)) return message;
    const region = code === 'invalid_phone' ? (regionOf(source) ?? ofChannel) : null;
    if (region === null) return formatMessage({ id: `mapping.problem.${code}` });
    const country = formatDisplayName(region, { type: 'region', fallback: 'code' }) ?? region;
    return formatMessage({ id: 'mapping.problem.phoneIn' }, { country });
  };
}

export function useTargetProblems(target: TargetName) {
  const { draft, errors: all, item, region: ofChannel } = useMappingEditor();
  const wordsOf = useProblemWords();
  const source = readTarget(draft.document, target);
  const errors = (all.get(target) ?? []).map(useSaveErrorText());
  const problems = (item?.problems ?? []).filter((problem) => problem.target === target);
  const found = problems.map((problem) => wordsOf(problem, source));
  const codes = problems.map(({ code }) => code);
  return {
    errors: [...new Set(errors)],
    found: [...new Set(found)],
    codes,
    tried: regionOf(source) ?? ofChannel,
  };
}

export function TargetProblems({ target }: { readonly target: TargetName }) {
  const { errors, found, codes, tried } = useTargetProblems(target);
  return (
    <div className={styles.problems} aria-live="polite">
      {errors.map((text) => (
        <p key={text} className="problem bad">
          <CircleAlert aria-hidden /> <span className="break">{text}</span>
        </p>
      ))}
      {errors.length === 0 &&
        found.map((text) => (
          <p key={text} className="problem warn">
            <TriangleAlert aria-hidden /> <span className="break">{text}</span>
          </p>
        ))}
      {errors.length === 0 && <PlaceOffers target={target} codes={codes} tried={tried} />}
    </div>
  );
}
