/** What was done, in words. */
import { useIntl } from 'react-intl';

/** What has no words of ours is called as the log calls it. */
export function useActionWords(): (action: string) => string {
  const { formatMessage, messages } = useIntl();
  return (action) => {
    const id = `audit.action.${action}`;
    return id in messages ? formatMessage({ id }) : action;
  };
}
