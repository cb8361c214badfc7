/**
 * The mapping versions of a webhook: the active one, comparisons, activation and rollback.
 *
 * Promises: the compared versions are in the URL; every activation names the version number first.
 */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useParams, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination } from '../../ui/data/table.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ExpertEditor } from '../expert/expert-editor.tsx';
import { ActivateVersion } from './activate-version.tsx';
import {
  ComparedVersions,
  withComparison,
  parseVersion,
} from '../version-comparison/compared-versions.tsx';
import { Guide } from './guide.tsx';
import { ActiveHealth } from './version-health.tsx';
import { RemainingDeadLetters } from './remaining-dead-letters.tsx';
import { VersionList, type VersionAction } from './version-list.tsx';
import { RollBack } from './roll-back.tsx';
import { TestEvent } from './test-event.tsx';
import { affectedOperations } from './affected-operations.ts';

type Webhook = Answer<'getWebhook'>;
type Doing = { readonly action: VersionAction; readonly version: number };

const perPage = 20;
/** Scheduled activations happen in the background, and other users may activate versions. */
const pollIntervalMs = 10_000;

export function Versions() {
  const { id = '' } = useParams();
  // The webhook layout has loaded it already.
  const webhook = useApiQuery(
    'getWebhook',
    { params: { id } },
    { refetchInterval: pollIntervalMs },
  );
  if (!webhook.data) return <Loading />;
  return <OfWebhook webhook={webhook.data} />;
}

function OfWebhook({ webhook }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const { id, activeVersion, schedule } = webhook;
  const [query, setQuery] = useSearchParams();
  const mayChange = useHasScope('operator') && webhook.status !== 'archived';
  const marked = parseVersion(query.get('version'));
  const page = usePage(id, marked);
  const { compared, doing, act, stop } = useVersionActions();
  const versions = useApiQuery(
    'listWebhookMappings',
    { params: { id }, query: { per_page: perPage, current_page: page ?? 1 } },
    { enabled: page !== null, keepPrevious: true, refetchInterval: pollIntervalMs },
  );
  const health = useApiQuery(
    'getWebhookMappingsHealth',
    { params: { id } },
    { refetchInterval: pollIntervalMs },
  );
  const drift = useApiQuery('getWebhookDrift', { params: { id } });
  if (versions.isPending) return <Loading />;
  if (versions.isError) {
    return <ErrorNote error={versions.error} onRetry={() => void versions.refetch()} />;
  }
  const { results, pagings } = versions.data;
  if (pagings.total === 0) return <NoVersions webhookId={id} mayChange={mayChange} />;
  const newest = page === 1 ? results[0] : undefined;
  const draft = newest?.status === 'draft' ? newest.version : null;
  const ofActive = health.data?.versions.find(({ version }) => version === activeVersion);
  return (
    <div className="stack">
      <Guide
        webhookId={id}
        draft={draft}
        hasWarnings={(drift.data?.warnings.length ?? 0) > 0}
        mayChange={mayChange}
      />
      {activeVersion !== null && <RemainingDeadLetters webhookId={id} active={activeVersion} />}
      {schedule && <Scheduled {...{ webhook, schedule, mayChange }} />}
      {compared !== null && (
        <ComparedVersions
          webhook={webhook}
          version={compared}
          listed={results.map(({ version }) => version)}
          actions={
            <VersionActions {...{ webhook, mayChange }} version={compared} onVersionAction={act} />
          }
        />
      )}
      <div className="row spread">
        <h2>{formatMessage({ id: 'versions.list' })}</h2>
        {mayChange && <RollBack webhook={webhook} />}
      </div>
      <VersionList
        webhookId={id}
        versions={results}
        health={health.data?.versions ?? []}
        scheduled={schedule?.version ?? null}
        marked={marked}
        toCompare={pagings.total > 1 ? (version) => withComparison(query, version) : null}
        onVersionAction={act}
        mayChange={mayChange}
      />
      <Pagination
        pagings={pagings}
        onPage={(next) => {
          query.set('page', String(next));
          setQuery(query);
        }}
      />
      {ofActive && ofActive.ended > 0 && <ActiveHealth webhookId={id} health={ofActive} />}
      {doing && <DoingDialog webhook={webhook} doing={doing} onClose={stop} />}
    </div>
  );
}

/**
 * The page of the list, newest first: from the URL, else the page of the highlighted version. Null while it is
 * looked up.
 */
function usePage(id: string, marked: number | null): number | null {
  const [query] = useSearchParams();
  const page = parseVersion(query.get('page'));
  const isAsked = page === null && marked !== null;
  const later = useApiQuery(
    'listWebhookMappings',
    { params: { id }, query: { per_page: 1, sort_by: '-version' } },
    { enabled: isAsked },
  );
  if (!isAsked || later.isError) return page ?? 1;
  const newest = later.data?.results[0]?.version;
  if (!later.data) return null;
  return newest === undefined || marked > newest ? 1 : Math.floor((newest - marked) / perPage) + 1;
}

/** The dialogs opened by the URL or by a button. */
function useVersionActions() {
  const [query, setQuery] = useSearchParams();
  const [begun, setBegun] = useState<Doing | null>(null);
  const mayChange = useHasScope('operator');
  const compared = parseVersion(query.get('compare'));
  const requested = query.get('do');
  const isAsked = mayChange && (requested === 'test' || requested === 'activate');
  const doing =
    begun ?? (isAsked && compared !== null ? { action: requested, version: compared } : null);
  return {
    compared,
    doing,
    act: (action: VersionAction, version: number) => setBegun({ action, version }),
    stop: () => {
      setBegun(null);
      if (requested === null) return;
      query.delete('do');
      setQuery(query, { replace: true });
    },
  };
}

function DoingDialog({
  webhook,
  doing: { action, version },
  onClose,
}: {
  readonly webhook: Webhook;
  readonly doing: Doing;
  readonly onClose: () => void;
}) {
  const props = { webhookId: webhook.id, version, onClose };
  if (action === 'activate') return <ActivateVersion {...{ webhook, version, onClose }} />;
  return action === 'test' ? <TestEvent {...props} /> : <Document {...props} />;
}

type DocumentProps = {
  readonly webhookId: string;
  readonly version: number;
  readonly onClose: () => void;
};

function Document({ webhookId, version, onClose }: DocumentProps) {
  const { formatMessage } = useIntl();
  const read = useApiQuery('getWebhookMapping', {
    params: { id: webhookId, version: String(version) },
  });
  const title = formatMessage({ id: 'versions.documentTitle' }, { version });
  return (
    <Dialog title={title} isOpen isWide onClose={onClose}>
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && <ExpertEditor document={read.data.mapping} label={title} />}
      <div className="actions">
        <Button onPress={onClose}>{formatMessage({ id: 'ui.close' })}</Button>
      </div>
    </Dialog>
  );
}

type VersionActionsProps = {
  readonly webhook: Webhook;
  readonly version: number;
  readonly mayChange: boolean;
  readonly onVersionAction: (action: VersionAction, version: number) => void;
};

function VersionActions({
  webhook: { id, activeVersion },
  version,
  mayChange,
  onVersionAction,
}: VersionActionsProps) {
  const { formatMessage } = useIntl();
  return (
    <>
      {mayChange && version !== activeVersion && (
        <Button variant="primary" onPress={() => onVersionAction('activate', version)}>
          {formatMessage({ id: 'versions.activateNow' }, { version })}
        </Button>
      )}
      {mayChange && (
        <>
          <Button onPress={() => onVersionAction('test', version)}>
            {formatMessage({ id: 'versions.test' })}
          </Button>
          <LinkButton href={`/webhooks/${id}/mapping?version=${version}`}>
            {formatMessage({ id: 'versions.edit' })}
          </LinkButton>
        </>
      )}
      <Button onPress={() => onVersionAction('view', version)}>
        {formatMessage({ id: 'versions.view' })}
      </Button>
    </>
  );
}

type ScheduledProps = {
  readonly webhook: Webhook;
  readonly schedule: NonNullable<Webhook['schedule']>;
  readonly mayChange: boolean;
};

function Scheduled({ webhook: { id }, schedule, mayChange }: ScheduledProps) {
  const { formatMessage, formatDate } = useIntl();
  const { version, at, by } = schedule;
  const params = { id };
  const again = useApiMutation('activateWebhookMapping', { invalidates: affectedOperations });
  const cancel = useApiMutation('deleteWebhookSchedule', {
    invalidates: affectedOperations,
    onDone: () =>
      showToast(formatMessage({ id: 'versions.scheduleCancelled' }, { version }), () =>
        again.mutate({ params: { id, version: String(version) }, body: { at } }),
      ),
  });
  const when = formatDate(at, { dateStyle: 'full', timeStyle: 'short' });
  return (
    <Note tone="warn">
      <p>{formatMessage({ id: 'versions.scheduleNote' }, { version, when, by })}</p>
      {(cancel.isError || again.isError) && <ErrorNote error={cancel.error ?? again.error} />}
      {mayChange && (
        <div>
          <Button isSmall isDisabled={cancel.isPending} onPress={() => cancel.mutate({ params })}>
            {formatMessage({ id: 'versions.scheduleCancel' }, { version })}
          </Button>
        </div>
      )}
    </Note>
  );
}

function NoVersions({
  webhookId,
  mayChange,
}: {
  readonly webhookId: string;
  readonly mayChange: boolean;
}) {
  const { formatMessage } = useIntl();
  return (
    <EmptyState
      title={formatMessage({ id: 'versions.empty' })}
      action={
        mayChange && (
          <LinkButton variant="primary" href={`/webhooks/${webhookId}/mapping`}>
            {formatMessage({ id: 'versions.toMapping' })}
          </LinkButton>
        )
      }
    >
      {formatMessage({ id: 'versions.emptyHint' })}
    </EmptyState>
  );
}
