/** Selects the payload shown: a sample or one of the last events. */
import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useIntl } from 'react-intl';
import { IconButton } from '../../ui/forms/button.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { useMappingEditor } from '../editor-context.tsx';
import type { PayloadOption } from '../use-payloads.ts';
import mappingStyles from '../mapping.module.css';
import fieldTreeStyles from '../fields/field-tree.module.css';

function useChoiceLabel(): (choice: PayloadOption, n: number) => string {
  const { formatMessage, formatDate } = useIntl();
  return ({ is, name, at }, n) =>
    name ??
    formatMessage(
      { id: `mapping.payload.${is}` },
      { n, at: formatDate(at, { dateStyle: 'short', timeStyle: 'medium' }) },
    );
}

export function PayloadChoice() {
  const { formatMessage, formatDate } = useIntl();
  const { payloads } = useMappingEditor();
  const { choices, shownId, show } = payloads;
  const labelOf = useChoiceLabel();
  const at = choices.findIndex(({ id }) => id === shownId);
  const step = (by: number) => {
    const next = choices[(at + by + choices.length) % choices.length];
    if (next) show(next.id);
  };
  return (
    <div className={clsx(mappingStyles.payloadChoice, fieldTreeStyles.payloadChoice)}>
      <Select
        label={formatMessage({ id: 'mapping.payload' })}
        isLabelHidden
        value={shownId}
        onChange={show}
        choices={choices.map((choice, n) => ({
          id: choice.id,
          label: labelOf(choice, n + 1),
          hint: `${formatMessage({ id: `mapping.payload.is.${choice.is}` })} · ${formatDate(choice.at, { dateStyle: 'short', timeStyle: 'medium' })}`,
        }))}
      />
      {choices.length > 1 && (
        <>
          <IconButton
            isSmall
            label={formatMessage({ id: 'mapping.payload.newer' })}
            onPress={() => step(-1)}
          >
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton
            isSmall
            label={formatMessage({ id: 'mapping.payload.older' })}
            onPress={() => step(1)}
          >
            <ChevronRight aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}
