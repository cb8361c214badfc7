/** Drift warnings as text. */
import { useIntl, type IntlShape } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { targetText } from '../reasons/reasons.tsx';
import { groupWarnings, type GroupedWarning as ChangeOf } from './group-warnings.ts';

type Warning = Answer<'getWebhookDrift'>['warnings'][number];
type SeenType = Answer<'getWebhookDrift'>['paths'][number]['types'][number]['type'];
export type Change = ChangeOf<Warning>;

/** The text of the server's warning, with translated names and types. */
function wordsOf(intl: IntlShape, { kind, target, path, events, ...rest }: Warning): string {
  const percent = (share: number) =>
    intl.formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });
  const typeWords = (type: SeenType | undefined) =>
    type === undefined ? '' : intl.formatMessage({ id: `drift.type.${type}` });
  const isOfTarget = target !== null && (kind === 'missing' || kind === 'rarer');
  return intl.formatMessage(
    { id: `drift.says.${kind}` },
    {
      what: isOfTarget ? targetText(intl, target) : path,
      events,
      before: percent(rest.before),
      after: percent(rest.after),
      typeBefore: typeWords(rest.types?.before),
      typeAfter: typeWords(rest.types?.after),
    },
  );
}

export function useDriftChanges(warnings: readonly Warning[]): readonly Change[] {
  const intl = useIntl();
  return groupWarnings(warnings, (warning) => wordsOf(intl, warning));
}

/** As one line, including the target. */
export function useDriftLines(warnings: readonly Warning[]): readonly string[] {
  const intl = useIntl();
  return useDriftChanges(warnings).map(({ kind, target, paths, text }) =>
    kind === 'missing' || kind === 'rarer'
      ? text
      : `${target === null ? paths.join(', ') : targetText(intl, target)}: ${text}`,
  );
}
