/** Options of an erasure: blocking, and the reason in the certificate. */
import { useIntl } from 'react-intl';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';

export type ErasureOptions = { readonly block: boolean; readonly reason: string };
export const defaultOptions: ErasureOptions = { block: false, reason: '' };

/** As the API expects them. */
export const optionsBody = ({ block, reason }: ErasureOptions) => ({
  ...(block && { block }),
  ...(reason.trim() !== '' && { reason: reason.trim() }),
});

type Props = { readonly terms: ErasureOptions; readonly onChange: (terms: ErasureOptions) => void };

export function ErasureOptionFields({ terms, onChange }: Props) {
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
