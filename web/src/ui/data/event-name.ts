/** What an event is called: by its kind, else by the sender's own id, else by the end of ours, which tells it apart too. */
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
