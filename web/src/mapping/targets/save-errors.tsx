/** Validation errors of a mapping as text. */
import { useCallback } from 'react';
import { useIntl, type IntlShape } from 'react-intl';
import { Note } from '../../ui/feedback/note.tsx';
import { listedValues, missingOption, type SaveError } from '../document/save-errors.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { useTargetLabel } from './target-label.ts';

/** Codes with their own messages; for others the server's message is shown. */
const known = new Set(
  (
    'expression_syntax expression_quote expression_too_long expression_too_large expression_function ' +
    'expression_arguments expression_unsupported phone_region date_zone date_format lookup_twice replace_what ' +
    'replace_case replace_pattern replace_group split_pick truncate_ellipsis template_brace template_block template_too_long ' +
    'document_too_large too_many_sources too_much_work split_without_id constant_id source_kind transform_unknown ' +
    'part_unknown part_missing wrong_type not_a_choice too_short too_long out_of_range'
  ).split(' '),
);

/** Display names of the server's type names. */
function argumentText({ formatMessage, formatList }: IntlShape, error: SaveError): string {
  const { kind, about = '' } = error;
  const oneOf = (text: readonly string[]) => formatList(text, { type: 'disjunction' });
  if (kind === 'wrong_type') {
    return oneOf(listedValues(error).map((type) => formatMessage({ id: `mapping.type.${type}` })));
  }
  if (kind === 'not_a_choice') return oneOf(listedValues(error).map((choice) => `“${choice}”`));
  const option = missingOption(error);
  return option === null ? about : formatMessage({ id: `mapping.option.${option}` });
}

export function useSaveErrorText(): (error: SaveError) => string {
  const intl = useIntl();
  return useCallback(
    (error) => {
      const { kind = '', message } = error;
      if (!known.has(kind)) return message;
      const about = argumentText(intl, error);
      return intl.formatMessage({ id: `mapping.saveError.${kind}` }, { about });
    },
    [intl],
  );
}

/** Links to the targets with errors; errors of the whole document are shown here. */
export function SaveErrorNote({ isLive = false }: { readonly isLive?: boolean }) {
  const { formatMessage } = useIntl();
  const { errors } = useMappingEditor();
  const labelOf = useTargetLabel();
  const wordsOf = useSaveErrorText();
  const named = [...errors.keys()].filter((target) => target !== '');
  return (
    <Note tone="bad" isLive={isLive}>
      {named.length > 0 && (
        <p>
          {formatMessage({ id: 'mapping.refused' }, { targets: named.map(labelOf).join(', ') })}
        </p>
      )}
      {[...new Set(errors.get('')?.map(wordsOf))].map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Note>
  );
}
