/** How a person is forgotten: whether they may come back, and what stands in the certificate. */
import { useIntl } from 'react-intl';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';

export type Terms = { readonly block: boolean; readonly reason: string };
export const noTerms: Terms = { block: false, reason: '' };

/** As the API takes them. */
export const termsOf = ({ block, reason }: Terms) => ({
  ...(block && { block }),
  ...(reason.trim() !== '' && { reason: reason.trim() }),
});

type Props = { readonly terms: Terms; readonly onChange: (terms: Terms) => void };

export function ForgetTerms({ terms, onChange }: Props) {
  const { formatMessage } = useIntl();
  return (
    <>
      <Checkbox
        isSelected={terms.block}
        onChange={(block) => onChange({ ...terms, block })}
        hint={formatMessage({ id: 'contacts.blockHint' })}
      >
        {formatMessage({ id: 'contacts.block' })}
      </Checkbox>
      <TextField
        label={formatMessage({ id: 'contacts.reason' })}
        hint={formatMessage({ id: 'contacts.reasonHint' })}
        value={terms.reason}
        onChange={(reason) => onChange({ ...terms, reason })}
        maxLength={200}
      />
    </>
  );
}
