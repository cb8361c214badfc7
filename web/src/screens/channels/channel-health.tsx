/** Whether the destination of a channel takes messages, and a check of its connection. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { Deadline, RelativeTime } from '../../ui/data/time.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useChannelReason } from './channel-test.tsx';

type Props = { readonly channel: Answer<'getChannel'> };

export function ChannelHealth({ channel: { id, health } }: Props) {
  const { formatMessage } = useIntl();
  const probe = useApiMutation('probeChannel', { invalidates: ['getChannel', 'listChannels'] });
  const reasonText = useChannelReason();
  return (
    <Card
      title={formatMessage({ id: 'channels.health' })}
      actions={
        <Button
          isDisabled={probe.isPending}
          onPress={() => probe.mutate({ params: { id }, body: {} })}
        >
          {formatMessage({ id: probe.isPending ? 'channels.probe.busy' : 'channels.probe.action' })}
        </Button>
      }
    >
      {health.state === 'healthy' && health.pausedUntil === null && (
        <p className="soft">{formatMessage({ id: 'channels.health.healthy' })}</p>
      )}
      {health.pausedUntil !== null && (
        <Note tone="warn">
          <p>
            {formatMessage({ id: 'channels.health.paused' })} <Deadline at={health.pausedUntil} />.
          </p>
          <p>{formatMessage({ id: 'channels.health.paused.what' })}</p>
        </Note>
      )}
      {health.state !== 'healthy' && (
        <Note tone="bad">
          <p>
            {formatMessage({ id: `channels.health.${health.state}` })}{' '}
            {health.failingSince !== null && <RelativeTime at={health.failingSince} />}
          </p>
          {health.reason !== null && <p>{reasonText(health.reason)}</p>}
          <p>{formatMessage({ id: `channels.health.${health.state}.what` })}</p>
        </Note>
      )}
      <div role="status" className="stack tight">
        {probe.isError && <ErrorNote error={probe.error} />}
        {probe.isSuccess && !probe.isPending && (
          <Note tone={probe.data.outcome === 'works' ? 'good' : 'bad'}>
            <p>{formatMessage({ id: `channels.probe.${probe.data.outcome}` })}</p>
            {probe.data.reason !== null && <p>{reasonText(probe.data.reason)}</p>}
          </Note>
        )}
        {probe.data?.receives && !probe.isPending && <Receives receives={probe.data.receives} />}
      </div>
    </Card>
  );
}

type Receiving = NonNullable<Answer<'probeChannel'>['receives']>;

/** Where the service posts, and what it could not post. */
function Receives({ receives }: { readonly receives: Receiving }) {
  const { formatMessage } = useIntl();
  const { state, pending, lastError, lastErrorAt } = receives;
  return (
    <Note tone={state === 'here' ? 'info' : 'bad'}>
      <p>{formatMessage({ id: `channels.receives.${state}` })}</p>
      {pending > 0 && <p>{formatMessage({ id: 'channels.receives.pending' }, { pending })}</p>}
      {lastError !== null && (
        <p>
          {formatMessage({ id: 'channels.registration.said' }, { said: lastError })}{' '}
          {lastErrorAt !== null && <RelativeTime at={lastErrorAt} />}
        </p>
      )}
    </Note>
  );
}
