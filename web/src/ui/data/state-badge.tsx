/** State badges of events and webhooks. */
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
