/** Why a mapping is not saved, in words. */
import { useCallback } from 'react';
import { useIntl, type IntlShape } from 'react-intl';
import { Note } from '../../ui/feedback/parts.tsx';
import { eachOf, missingOption, type Refusal } from '../document/save-errors.ts';
import { useEditing } from '../editor-context.tsx';
import { useTargetLabel } from './target-label.ts';

/** The kinds that have words of their own; of others the server's are shown. */
const known = new Set(
  (
    'expression_syntax expression_quote expression_too_long expression_too_large expression_function ' +
    'expression_arguments expression_unsupported phone_region date_zone date_format lookup_twice replace_what ' +
    'replace_case replace_pattern replace_group split_pick truncate_ellipsis template_brace template_too_long ' +
    'document_too_large too_many_sources split_without_id constant_id source_kind transform_unknown part_unknown ' +
    'part_missing wrong_type not_a_choice too_short too_long out_of_range'
  ).split(' '),
);

/** The server's words, as people say them. */
function aboutWords({ formatMessage, formatList }: IntlShape, refusal: Refusal): string {
  const { kind, about = '' } = refusal;
  const oneOf = (words: readonly string[]) => formatList(words, { type: 'disjunction' });
  if (kind === 'wrong_type') {
    return oneOf(eachOf(refusal).map((type) => formatMessage({ id: `mapping.type.${type}` })));
  }
  if (kind === 'not_a_choice') return oneOf(eachOf(refusal).map((choice) => `“${choice}”`));
  const option = missingOption(refusal);
  return option === null ? about : formatMessage({ id: `mapping.option.${option}` });
}

export function useRefusalWords(): (refusal: Refusal) => string {
  const intl = useIntl();
  return useCallback(
    (refusal) => {
      const { kind = '', message } = refusal;
      if (!known.has(kind)) return message;
      const about = aboutWords(intl, refusal);
      return intl.formatMessage({ id: `mapping.refusal.${kind}` }, { about });
    },
    [intl],
  );
}

/** Leads to the targets, which say more; what is about none of them is said here. */
export function Refused({ isLive = false }: { readonly isLive?: boolean }) {
  const { formatMessage } = useIntl();
  const { refusals } = useEditing();
  const labelOf = useTargetLabel();
  const wordsOf = useRefusalWords();
  const named = [...refusals.keys()].filter((target) => target !== '');
  return (
    <Note tone="bad" isLive={isLive}>
      {named.length > 0 && (
        <p>
          {formatMessage({ id: 'mapping.refused' }, { targets: named.map(labelOf).join(', ') })}
        </p>
      )}
      {[...new Set(refusals.get('')?.map(wordsOf))].map((words) => (
        <p key={words}>{words}</p>
      ))}
    </Note>
  );
}
