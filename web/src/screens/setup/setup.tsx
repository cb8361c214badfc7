/**
 * The way from nothing to an active webhook: seven steps on one page, which goes on by itself.
 *
 * Promises: a webhook that was left half-way opens at its next step; a finished step can be looked at again and changed.
 * Must never: put the secret URL anywhere but into this tab's memory.
 */
import './setup.css';
import { useIntl } from 'react-intl';
import { useNavigate, useNavigationType, useParams, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Failed, Note, PageHead, Waiting } from '../../ui/feedback/parts.tsx';
import { Together } from '../../ui/layout/reveal-together.tsx';
import { ActivateStep } from '../setup-steps/activate-step.tsx';
import { CreateStep } from '../setup-steps/create-step.tsx';
import { useKeepUrl } from '../../api/secret-urls.ts';
import { LiveStep } from '../setup-steps/live-step.tsx';
import { MappingStep } from '../setup-steps/mapping-step.tsx';
import { ReviewStep } from '../setup-steps/review-step.tsx';
import { SampleStep } from '../setup-steps/sample-step.tsx';
import { Steps, type StepPart } from './step-list.tsx';
import { stageOf, stepIds, type StepId } from './setup-progress.ts';
import { Made } from './setup-summary.tsx';
import { UrlStep } from '../setup-steps/url-step.tsx';

type Webhook = Answer<'getWebhook'>;

const everyMs = 10_000;

export function NewWebhook() {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const keepUrl = useKeepUrl();
  return (
    <div className="setup stack">
      <Head title={formatMessage({ id: 'setup.newTitle' })} />
      <Steps
        open={['create']}
        parts={stepIds.map((id) =>
          id === 'create'
            ? {
                id,
                state: 'open',
                content: (
                  <CreateStep
                    onMade={({ id: made, url }) => {
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
  const webhook = useRead('getWebhook', { params: { id } }, { every: everyMs });
  if (webhook.isPending) return <Waiting />;
  // What was begun stays on the page when one reading of many fails.
  if (!webhook.data) {
    return <Failed error={webhook.error} onRetry={() => void webhook.refetch()} />;
  }
  const { name, status } = webhook.data;
  return (
    <div className="setup stack">
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
    <PageHead
      title={title}
      trail={[{ label: formatMessage({ id: 'shell.webhooks' }), href: '/webhooks' }]}
    />
  );
}

function OpenSetup({ webhook }: { readonly webhook: Webhook }) {
  const [params, setParams] = useSearchParams();
  const stage = stageOf(webhook.setup, useIsSeen(webhook));
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
      ...(id === 'create' && { summary: <Made webhook={webhook} /> }),
    };
  });
  return (
    <Steps open={open} parts={parts} isBegun={isBegun} onOn={isBack ? () => go(null) : undefined} />
  );
}

/** Whether a contact and a chat have come of it. */
function useIsSeen({ id, setup }: Webhook): boolean {
  const query = { webhookId: [id], state: ['done' as const], per_page: 1 };
  const done = useRead('listEvents', { query }, { enabled: setup.active });
  return (done.data?.results.length ?? 0) > 0;
}

function useContent(webhook: Webhook, go: (step: StepId | null) => void) {
  const { id } = webhook;
  return {
    create: <Made webhook={webhook} isWhole />,
    url: <UrlStep webhook={webhook} />,
    sample: <SampleStep webhook={webhook} />,
    mapping: (
      // An active webhook goes on as it was until the new version is activated.
      <MappingStep webhookId={id} onSaved={() => go(webhook.setup.active ? 'review' : null)} />
    ),
    // Shown at one time, so that the button is where it stays.
    review: (
      <Together>
        <ReviewStep webhook={webhook} onMend={() => go('mapping')} />
      </Together>
    ),
    activate: (
      <Together>
        <ActivateStep webhook={webhook} onDone={() => go(null)} />
      </Together>
    ),
    live: <LiveStep webhook={webhook} />,
  } satisfies Readonly<Record<StepId, React.ReactNode>>;
}
