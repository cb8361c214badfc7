/** Tells the service of a channel where to post: the webhooks of the channel that read it, each with a button. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useChannelWebhooks } from './channel-webhooks.ts';
import { useChannelReason } from './channel-test.tsx';

type Props = { readonly id: string; readonly producers: readonly string[] };

export function ChannelRegistration({ id, producers }: Props) {
  const { formatMessage } = useIntl();
  const webhooks = useChannelWebhooks(id)?.filter(
    ({ producerProfile, status }) => producers.includes(producerProfile) && status !== 'archived',
  );
  return (
    <Card title={formatMessage({ id: 'channels.registration' })}>
      <p className="soft">{formatMessage({ id: 'channels.registration.what' })}</p>
      {webhooks?.length === 0 && <p>{formatMessage({ id: 'channels.registration.none' })}</p>}
      {webhooks?.map((webhook) => (
        <RegisteredWebhook key={webhook.id} id={webhook.id} name={webhook.name} />
      ))}
    </Card>
  );
}

function RegisteredWebhook({ id, name }: { readonly id: string; readonly name: string }) {
  const { formatMessage } = useIntl();
  const invalidates = ['listWebhookKeys', 'getWebhookSettings'] as const;
  const register = useApiMutation('registerWebhook', { invalidates });
  return (
    <>
      <p>
        <Button
          isDisabled={register.isPending}
          onPress={() => register.mutate({ params: { id }, body: {} })}
        >
          {formatMessage(
            {
              id: register.isPending
                ? 'channels.registration.busy'
                : 'channels.registration.action',
            },
            { name },
          )}
        </Button>
      </p>
      <div role="status">
        {register.isError && <ErrorNote error={register.error} />}
        {register.isSuccess && !register.isPending && <Result registered={register.data} />}
      </div>
    </>
  );
}

function Result({ registered }: { readonly registered: Answer<'registerWebhook'> }) {
  const { formatMessage } = useIntl();
  const reasonText = useChannelReason();
  const { outcome, reason, said } = registered;
  return (
    <Note tone={outcome === 'registered' ? 'good' : 'bad'}>
      <p>{formatMessage({ id: `channels.registration.${outcome}` })}</p>
      {reason !== null && <p>{reasonText(reason)}</p>}
      {said !== null && <p>{formatMessage({ id: 'channels.registration.said' }, { said })}</p>}
    </Note>
  );
}
