/** The secret URL, shown while this tab knows it, and instructions for the sender. */
import { KeyRound } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Link } from 'react-aria-components';
import type { Answer } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Panes, type Pane } from '../../ui/layout/panes.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useSecretUrl, useRememberSecretUrl } from '../../api/secret-urls.ts';
import { useProducer, type Producer } from '../../api/use-producer.ts';
import { snippetIds, snippets, placeholderUrl, type SnippetId } from './snippets.ts';
import styles from './setup-steps.module.css';

type Webhook = Answer<'getWebhook'>;

export function UrlStep({ webhook }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const url = useSecretUrl(webhook.id);
  const producer = useProducer(webhook.producerProfile);
  const panes = snippetIds.map((id): Pane => {
    return {
      id,
      label: formatMessage({ id: `setup.snippet.${id}` }),
      content: <Snippet id={id} url={url ?? placeholderUrl(window.location.origin)} />,
    };
  });
  return (
    <>
      {url === null ? <UrlGone webhookId={webhook.id} /> : <UrlShown url={url} />}
      {producer && producer.name !== 'generic' && (
        <>
          <h3>{producer.title}</h3>
          <ProducerHelp webhookId={webhook.id} producer={producer} />
        </>
      )}
      <details className={styles.code}>
        <summary>{formatMessage({ id: 'setup.code' })}</summary>
        <Panes label={formatMessage({ id: 'setup.howTo' })} panes={panes} />
      </details>
    </>
  );
}

function UrlShown({ url }: { readonly url: string }) {
  const { formatMessage } = useIntl();
  return (
    <>
      <p>{formatMessage({ id: 'setup.urlGive' })}</p>
      <CopyableText text={url} label={formatMessage({ id: 'setup.urlCopy' })} />
      <Note tone="warn">{formatMessage({ id: 'setup.urlOnce' })}</Note>
    </>
  );
}

function UrlGone({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const keepUrl = useRememberSecretUrl();
  const rotate = useApiMutation('rotateWebhookKeys', {
    invalidates: ['listWebhookKeys'],
    onDone: ({ url }) => keepUrl(webhookId, url),
  });
  return (
    <>
      <Note>
        <p>{formatMessage({ id: 'setup.urlGone' })}</p>
        <p className="soft">{formatMessage({ id: 'setup.urlLost' })}</p>
        <div>
          <Button
            isSmall
            isDisabled={rotate.isPending}
            onPress={() => rotate.mutate({ params: { id: webhookId }, body: {} })}
          >
            <KeyRound aria-hidden />
            {formatMessage({ id: 'setup.rotate' })}
          </Button>
        </div>
      </Note>
      {rotate.isError && <ErrorNote error={rotate.error} />}
    </>
  );
}

type HelpProps = { readonly webhookId: string; readonly producer: Producer };

function ProducerHelp({ webhookId, producer }: HelpProps) {
  const { formatMessage } = useIntl();
  const { title, instructions, signature, handshake } = producer;
  const settings = (strings: readonly React.ReactNode[]) => (
    <Link href={`/webhooks/${webhookId}/settings`}>{strings}</Link>
  );
  return (
    <>
      <p className={styles.setupInstructions}>{instructions}</p>
      {signature !== null && (
        <p className="soft small">{formatMessage({ id: 'setup.signs' }, { title, settings })}</p>
      )}
      {handshake && (
        <p className="soft small">
          {formatMessage({ id: 'setup.handshake' }, { title, settings })}
        </p>
      )}
    </>
  );
}

function Snippet({ id, url }: { readonly id: SnippetId; readonly url: string }) {
  const { formatMessage } = useIntl();
  return (
    <>
      <p className="small">{formatMessage({ id: `setup.snippetHint.${id}` })}</p>
      <CopyableText
        isBlock
        text={snippets[id](url)}
        label={formatMessage({ id: 'setup.snippetCopy' })}
      />
    </>
  );
}
