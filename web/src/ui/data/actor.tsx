/** Who did something, by the name of the token. The one that the environment gives has no name that people gave it. */
import { useIntl } from 'react-intl';

const ofEnvironment = 'INLET_ADMIN_TOKEN';

export function Actor({ name }: { readonly name: string }) {
  const { formatMessage } = useIntl();
  if (name !== ofEnvironment) return name;
  return <span title={name}>{formatMessage({ id: 'ui.environmentToken' })}</span>;
}
