/**
 * The setup of a webhook: seven steps on one page. The next step opens automatically.
 *
 * Promises: an unfinished setup reopens at its next step; a finished step can be reviewed and changed.
 * Must never: store the secret URL anywhere but in the memory of this tab.
 */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import { useNavigate, useNavigationType, useParams, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import { ActivateStep } from '../setup-steps/activate-step.tsx';
import { CreateStep } from '../setup-steps/create-step.tsx';
import { useRememberSecretUrl } from '../../api/secret-urls.ts';
import { LiveStep } from '../setup-steps/live-step.tsx';
import { MappingStep } from '../setup-steps/mapping-step.tsx';
import { ReviewStep } from '../setup-steps/review-step.tsx';
import { SampleStep } from '../setup-steps/sample-step.tsx';
import { StepList, type StepPart } from './step-list.tsx';
import { setupProgressOf, stepIds, type StepId } from './setup-progress.ts';
import { SetupSummary } from './setup-summary.tsx';
import { UrlStep } from '../setup-steps/url-step.tsx';
import styles from './setup.module.css';

type Webhook = Answer<'getWebhook'>;

const pollIntervalMs = 10_000;

export function NewWebhook() {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const keepUrl = useRememberSecretUrl();
  return (
    <div className={clsx('stack', styles.setup)}>
      <Head title={formatMessage({ id: 'setup.newTitle' })} />
      <StepList
        open={['create']}
        parts={stepIds.map((id) =>
          id === 'create'
            ? {
                id,
                state: 'open',
                content: (
                  <CreateStep
                    onCreated={({ id: made, url }) => {
                      keepUrl(made, url);
                      void navigate(`/webhooks/${made}/setup`, { replace: true });
                    }}
                  />
                ),
              }
            : { id, state: 'later' },
        )}
      />
    </div>
  );
}

export function Setup() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const webhook = useApiQuery(
    'getWebhook',
    { params: { id } },
    { refetchInterval: pollIntervalMs },
  );
  if (webhook.isPending) return <Loading />;
  // A single failed refresh keeps the page.
  if (!webhook.data) {
    return <ErrorNote error={webhook.error} onRetry={() => void webhook.refetch()} />;
  }
  const { name, status } = webhook.data;
  return (
    <div className={clsx('stack', styles.setup)}>
      <Head title={formatMessage({ id: 'setup.title' }, { name })} />
      {status === 'archived' ? (
        <Note tone="warn">
          <p>{formatMessage({ id: 'setup.archived' })}</p>
          <div>
            <LinkButton isSmall href={`/webhooks/${id}`}>
              {formatMessage({ id: 'setup.toWebhook' })}
            </LinkButton>
          </div>
        </Note>
      ) : (
        <OpenSetup webhook={webhook.data} />
      )}
    </div>
  );
}

function Head({ title }: { readonly title: string }) {
  const { formatMessage } = useIntl();
  return (
    <PageHeader
      title={title}
      breadcrumbs={[{ label: formatMessage({ id: 'shell.webhooks' }), href: '/webhooks' }]}
    />
  );
}

function OpenSetup({ webhook }: { readonly webhook: Webhook }) {
  const [params, setParams] = useSearchParams();
  const stage = setupProgressOf(webhook.setup, useIsSeen(webhook));
  const back = stepIds.find((one) => one === params.get('step'));
  const isBack = back !== undefined && stage.reached.includes(back);
  const open: readonly StepId[] = isBack ? [back] : stage.open;
  const go = (step: StepId | null) =>
    setParams(step === null || stage.open.includes(step) ? {} : { step });
  const content = useContent(webhook, go);
  const isBegun = useNavigationType() === 'REPLACE';
  const parts: StepPart[] = stepIds.map((id) => {
    if (open.includes(id))
      return {
        id,
        state: 'open',
        isDone: stage.done.includes(id),
        content: content[id],
      };
    if (!stage.reached.includes(id)) return { id, state: 'later' };
    return {
      id,
      state: stage.done.includes(id) ? 'done' : 'next',
      onOpen: () => go(id),
      ...(id === 'create' && { summary: <SetupSummary webhook={webhook} /> }),
    };
  });
  return (
    <StepList
      open={open}
      parts={parts}
      isBegun={isBegun}
      onContinue={isBack ? () => go(null) : undefined}
    />
  );
}

/** True when an event created a contact and a chat. */
function useIsSeen({ id, setup }: Webhook): boolean {
  const query = { webhookId: [id], state: ['done' as const], per_page: 1 };
  const done = useApiQuery('listEvents', { query }, { enabled: setup.active });
  return (done.data?.results.length ?? 0) > 0;
}

function useContent(webhook: Webhook, go: (step: StepId | null) => void) {
  const { id } = webhook;
  return {
    create: <SetupSummary webhook={webhook} isWhole />,
    url: <UrlStep webhook={webhook} />,
    sample: <SampleStep webhook={webhook} />,
    mapping: (
      // An active webhook keeps its version until the new one is activated.
      <MappingStep webhookId={id} onSaved={() => go(webhook.setup.active ? 'review' : null)} />
    ),
    // Revealed together, so that the button does not move.
    review: (
      <RevealTogether>
        <ReviewStep webhook={webhook} onChangeMapping={() => go('mapping')} />
      </RevealTogether>
    ),
    activate: (
      <RevealTogether>
        <ActivateStep webhook={webhook} onDone={() => go(null)} />
      </RevealTogether>
    ),
    live: <LiveStep webhook={webhook} />,
  } satisfies Readonly<Record<StepId, React.ReactNode>>;
}
