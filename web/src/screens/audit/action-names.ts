/** Display names of audit actions. */
import { useIntl } from 'react-intl';

/** An unknown action is shown by its code. */
export function useActionName(): (action: string) => string {
  const { formatMessage, messages } = useIntl();
  return (action) => {
    const id = `audit.action.${action}`;
    return id in messages ? formatMessage({ id }) : action;
  };
}
