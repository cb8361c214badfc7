/** The error and the buttons of a form in a dialog. */
import { useIntl } from 'react-intl';
import { ErrorNote } from '../feedback/error-note.tsx';
import { Button } from '../forms/button.tsx';

type Props = {
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onClose: () => void;
};

export function FormFooter({ error, isPending, onClose }: Props) {
  const { formatMessage } = useIntl();
  return (
    <>
      {error && <ErrorNote error={error} />}
      <div className="actions">
        <Button onPress={onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
        <Button type="submit" variant="primary" isDisabled={isPending}>
          {formatMessage({ id: 'ui.save' })}
        </Button>
      </div>
    </>
  );
}
