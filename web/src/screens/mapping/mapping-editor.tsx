/**
 * The mapping editor: payload fields on the left, targets on the right, and a preview. Without a mapping it
 * starts with the suggestion.
 *
 * Promises: a reload loses nothing, every change can be undone; saving creates a new version and activates
 * nothing.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { RepairNote } from '../repair/repair-note.tsx';
import { useRepair } from '../repair/use-repair.ts';
import { ExpertEditor as JsonEditor } from '../expert/expert-editor.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Document, Source } from '../../mapping/document/mapping-document.ts';
import { filledTargets, readTarget, writeTarget } from '../../mapping/document/targets.ts';
import type { Suggestion } from '../../mapping/editor-context.tsx';
import { usePayloads, type Payloads } from '../../mapping/use-payloads.ts';
import { Workbench, type ExpertProps } from '../../mapping/workbench.tsx';

type EditorProps = {
  readonly webhookId: string;
  readonly saveLabel?: string;
  readonly onSaved?: (version: number) => void;
  /** Called instead for an event that failed: the version is to be activated. */
  readonly onRepaired?: (version: number) => void;
  /** From the URL: a field to show, an event to preview, and the base version. */
  readonly field?: string | null;
  readonly event?: string | null;
  readonly from?: number | null;
  /** Whether the JSON editor is open, and the URL of the other editor. */
  readonly expert?: { readonly isOn: boolean; readonly href: string };
};

const ExpertEditor = (props: ExpertProps) => <JsonEditor {...props} />;

const nothing: Suggestion = { confidence: {}, alternatives: {}, sources: new Map() };

/** With the suggested message of an order or a form. */
const withMessage = (document: Document, template: string | null): Document =>
  template === null ? document : writeTarget(document, 'message.text', { template });

/** The suggestion for these payloads, as a document. */
function useSuggestion(webhookId: string, { sampleIds, all }: Payloads) {
  return useQuery({
    queryKey: [
      'suggestWebhookMappings',
      webhookId,
      sampleIds.length > 0 ? sampleIds : all.map(({ id }) => id),
    ],
    queryFn: async ({ signal }) => {
      const payloads = all.map(({ body, headers, query }) => {
        return { body: body as object, headers, query };
      });
      const body = sampleIds.length > 0 ? { sampleIds: [...sampleIds] } : { payloads };
      const request = { params: { id: webhookId }, body, signal };
      const found = await client.call('suggestWebhookMappings', request);
      const document = withMessage(found.mapping as Document, found.messageTemplate);
      const sources = new Map(
        filledTargets(document).flatMap((target): [string, Source][] => {
          const source = readTarget(document, target);
          return source ? [[target, source]] : [];
        }),
      );
      const { confidence, alternatives } = found as unknown as Suggestion;
      return { document, suggestion: { confidence, alternatives, sources } };
    },
    enabled: all.length > 0,
    staleTime: Infinity,
    placeholderData: (before) => before,
  });
}

/** The draft newer than the active version, else the active version, else the newest; 0 without versions. */
function useBeginning(webhookId: string, from: number | null) {
  const versions = useApiQuery('listWebhookMappings', {
    params: { id: webhookId },
    query: { per_page: 50 },
  });
  const results = versions.data?.results;
  const newest = results?.[0];
  const active = results?.find(({ status }) => status === 'active');
  const named = results?.find(({ version }) => version === from);
  const begun = named ?? (newest?.status === 'draft' ? newest : (active ?? newest));
  return { versions, begun, active };
}

export function MappingEditor({
  webhookId,
  field = null,
  event = null,
  from = null,
  expert,
  saveLabel,
  onSaved,
  onRepaired,
}: EditorProps) {
  const { formatMessage } = useIntl();
  const { payloads, isPending, error, retry } = usePayloads(webhookId, event);
  const { versions, begun, active } = useBeginning(webhookId, from);
  const suggested = useSuggestion(webhookId, payloads);
  const failedEvent = useApiQuery(
    'getEvent',
    { params: { id: event ?? '' } },
    { enabled: event !== null, skipFocusRefetch: true },
  );
  const isFailed = failedEvent.data?.state === 'dead' && onRepaired !== undefined;
  const { repair, isLoading: isComparing } = useRepair(webhookId, {
    eventId: isFailed ? event : null,
    version: begun?.version ?? 0,
  });
  const maySave = useHasScope('operator');
  const hasPayloads = payloads.all.length > 0;
  const base = useMemo(
    () =>
      begun
        ? { version: begun.version, document: begun.mapping as Document }
        : { version: 0, document: suggested.data?.document ?? {} },
    [begun, suggested.data],
  );
  const failed = error ?? versions.error;
  if (failed) return <ErrorNote error={failed} onRetry={retry} />;
  const isOpening = isComparing || (onRepaired !== undefined && failedEvent.isLoading);
  if (isPending || isOpening || versions.isPending || (hasPayloads && suggested.isPending)) {
    return <Loading label={formatMessage({ id: 'mapping.reading' })} lines={24} />;
  }
  if (!hasPayloads && !begun) {
    return (
      <EmptyState
        title={formatMessage({ id: 'mapping.noSamples' })}
        action={
          <LinkButton href={`/webhooks/${webhookId}/samples`}>
            {formatMessage({ id: 'mapping.toSamples' })}
          </LinkButton>
        }
      >
        {formatMessage({ id: 'mapping.noSamples.hint' })}
      </EmptyState>
    );
  }
  return (
    <Workbench
      key={webhookId}
      saveLabel={isFailed ? formatMessage({ id: 'repair.saveAndActivate' }) : saveLabel}
      onSaved={isFailed ? onRepaired : onSaved}
      activates={isFailed}
      notice={repair && <RepairNote repair={repair} />}
      webhookId={webhookId}
      base={base}
      active={active?.version ?? null}
      payloads={payloads}
      suggestion={suggested.data?.suggestion ?? nothing}
      maySave={maySave}
      wanted={field}
      expert={expert && { ...expert, Editor: ExpertEditor }}
    />
  );
}
