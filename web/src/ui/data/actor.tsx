/** The actor of a change by token name. The token from the environment has no name. */
import { useIntl } from 'react-intl';

const ofEnvironment = 'INLET_ADMIN_TOKEN';

export function Actor({ name }: { readonly name: string }) {
  const { formatMessage } = useIntl();
  if (name !== ofEnvironment) return name;
  return <span title={name}>{formatMessage({ id: 'ui.environmentToken' })}</span>;
}
