/**
 * Sends test events: the newest sample is processed completely, and its contact, chat and message are marked as
 * test. Deleting the test event deletes them too.
 */
import { FlaskConical, Trash2 } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import styles from './summary.module.css';

type Test = Answer<'listWebhookTestEvents'>['results'][number];

// Short, because a user waits for the result.
const fastPollMs = 1_500;
const slowPollMs = 15_000;
const shown = 3;
const ended: readonly string[] = ['done', 'ignored', 'dead', 'discarded'];

/** `every`: other components may poll the same query with other intervals. */
const useTests = (webhookId: string, refetchInterval: number) =>
  useApiQuery(
    'listWebhookTestEvents',
    { params: { id: webhookId }, query: { per_page: shown } },
    { refetchInterval },
  );

function Follow({ webhookId }: { readonly webhookId: string }) {
  useTests(webhookId, fastPollMs);
  return null;
}

export function TestEvents({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const may = useHasScope('operator');
  const params = { id: webhookId };
  const samples = useApiQuery('listWebhookSamples', { params, query: { per_page: 1 } });
  const tests = useTests(webhookId, slowPollMs);
  const create = useApiMutation('createWebhookTestEvent', {
    invalidates: ['listWebhookTestEvents'],
  });
  const remove = useApiMutation('deleteWebhookTestEvent', {
    invalidates: ['listWebhookTestEvents'],
  });
  const sampleId = samples.data?.results[0]?.id;
  const results = tests.data?.results ?? [];
  const error = create.error ?? remove.error;
  return (
    <Card title={formatMessage({ id: 'webhook.test' })}>
      <p className="soft small">{formatMessage({ id: 'webhook.test.hint' })}</p>
      {may && (
        <div>
          <Button
            isDisabled={sampleId === undefined || create.isPending}
            onPress={() => {
              if (sampleId !== undefined) create.mutate({ params, body: { sampleId } });
            }}
          >
            <FlaskConical aria-hidden />
            {formatMessage({ id: 'webhook.test.send' })}
          </Button>
        </div>
      )}
      {samples.data && sampleId === undefined && (
        <p className="soft small">{formatMessage({ id: 'webhook.test.noSample' })}</p>
      )}
      {error && <ErrorNote error={error} />}
      {results.some(({ state }) => !ended.includes(state)) && <Follow webhookId={webhookId} />}
      {results.length > 0 && (
        <ul className={styles.summaryTests} aria-live="polite">
          {results.map((test) => (
            <OneTest
              key={test.eventId}
              test={test}
              onDelete={
                may
                  ? () => remove.mutate({ params: { id: webhookId, eventId: test.eventId } })
                  : undefined
              }
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

type OneProps = { readonly test: Test; readonly onDelete: (() => void) | undefined };

function OneTest({ test, onDelete }: OneProps) {
  const { formatMessage } = useIntl();
  const { eventId, state, version, receivedAt, reason, effects, problems } = test;
  const mayChat = useHasScope('inbox');
  return (
    <li className="stack tight">
      <div className="row spread">
        <span className="row">
          <EventStateBadge state={state} />
          <Link href={`/events/${eventId}`} className="small">
            {formatMessage({ id: 'webhook.test.of' }, { version })} <RelativeTime at={receivedAt} />
          </Link>
        </span>
        {onDelete && (
          <IconButton
            isSmall
            label={formatMessage({ id: 'webhook.test.delete' })}
            onPress={onDelete}
          >
            <Trash2 aria-hidden />
          </IconButton>
        )}
      </div>
      {effects && (
        <div className="row small">
          <Link href={`/contacts/${effects.contactId}`}>
            {formatMessage({ id: 'webhook.test.contact' })}
          </Link>
          {mayChat && (
            <Link href={`/inbox?chat=${effects.chatId}`}>
              {formatMessage({ id: 'webhook.test.chat' })}
            </Link>
          )}
        </div>
      )}
      {reason !== null && <code className="small break">{reason}</code>}
      {problems.length > 0 && (
        <ul className="small">
          {problems.map((problem) => (
            <li key={`${problem.target} ${problem.code}`}>
              <code>{problem.target}</code> {problem.message}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
