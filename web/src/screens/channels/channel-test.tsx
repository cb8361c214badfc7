/** Sends a test message and shows the result. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';

export function ChannelTest({ id }: { readonly id: string }) {
  const { formatMessage } = useIntl();
  const test = useApiMutation('testChannel');
  return (
    <Card
      title={formatMessage({ id: 'channels.test' })}
      actions={
        <Button
          isDisabled={test.isPending}
          onPress={() => test.mutate({ params: { id }, body: {} })}
        >
          {formatMessage({ id: test.isPending ? 'channels.test.busy' : 'channels.test.action' })}
        </Button>
      }
    >
      <p className="soft">{formatMessage({ id: 'channels.test.what' })}</p>
      <div role="status">
        {test.isError && <ErrorNote error={test.error} />}
        {test.isSuccess && !test.isPending && <Result tested={test.data} />}
      </div>
    </Card>
  );
}

/** Returns a function from a reason to a sentence. */
export function useChannelReason(): (reason: string) => string {
  const { formatMessage, messages } = useIntl();
  return (reason) => {
    const [code = '', detail = ''] = reason.split(/:(.*)/s);
    const general = `channels.reason.${code}`;
    const id = [`${general}.${detail}`, general].find((one) => one in messages);
    return id === undefined ? reason : formatMessage({ id }, { detail });
  };
}

function Result({ tested: { outcome, reason } }: { readonly tested: Answer<'testChannel'> }) {
  const { formatMessage } = useIntl();
  const reasonText = useChannelReason();
  if (outcome === 'delivered') {
    return <Note tone="good">{formatMessage({ id: 'channels.test.delivered' })}</Note>;
  }
  return (
    <Note tone="bad">
      <p>{formatMessage({ id: 'channels.test.failed' })}</p>
      {reason !== null && <p>{reasonText(reason)}</p>}
    </Note>
  );
}
