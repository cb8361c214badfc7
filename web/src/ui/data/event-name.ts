/** The display name of an event: its type, else the sender's id, else the end of its own id. */
import { useIntl } from 'react-intl';

type Called = {
  readonly id: string;
  readonly eventType: string | null;
  readonly externalId: string | null;
};

export function useEventName(): (event: Called) => string {
  const { formatMessage } = useIntl();
  return ({ id, eventType, externalId }) =>
    eventType ?? externalId ?? formatMessage({ id: 'ui.event' }, { end: id.slice(-6) });
}
