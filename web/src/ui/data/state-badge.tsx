/** State badges of events, deliveries and webhooks. */
import { useIntl } from 'react-intl';
import { Badge } from './badge.tsx';
import type { Tone } from '../tone.ts';

const eventTones: Readonly<Record<string, Tone>> = {
  received: 'info',
  processing: 'info',
  waiting: 'warn',
  done: 'good',
  ignored: 'plain',
  dead: 'bad',
  discarded: 'plain',
  held: 'warn',
};

export function EventStateBadge({ state }: { readonly state: string }) {
  const { formatMessage } = useIntl();
  return (
    <Badge tone={eventTones[state] ?? 'plain'}>{formatMessage({ id: `state.${state}` })}</Badge>
  );
}

const deliveryTones: Readonly<Record<string, Tone>> = {
  waiting: 'warn',
  sending: 'info',
  accepted: 'info',
  sent: 'info',
  delivered: 'good',
  read: 'good',
  dead: 'bad',
};

type Delivery = { readonly state: string; readonly reported: string | null };

/** Of a delivered message, how far its destination says that it came. */
export function DeliveryStateBadge({
  delivery: { state, reported },
}: {
  readonly delivery: Delivery;
}) {
  const { formatMessage } = useIntl();
  const shown = state === 'delivered' && reported !== null ? reported : state;
  return (
    <Badge tone={deliveryTones[shown] ?? 'plain'}>
      {formatMessage({ id: `delivery.${shown}` })}
    </Badge>
  );
}

const webhookTones: Readonly<Record<string, Tone>> = {
  draft: 'plain',
  sampled: 'info',
  mapped: 'info',
  active: 'good',
  paused: 'warn',
  archived: 'plain',
};

/** The text comes from the server, in the language of the request. */
export const WebhookStateBadge = ({
  status,
  statusLabel,
}: {
  readonly status: string;
  readonly statusLabel: string;
}) => <Badge tone={webhookTones[status] ?? 'plain'}>{statusLabel}</Badge>;
