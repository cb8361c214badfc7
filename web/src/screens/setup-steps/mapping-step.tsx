/**
 * The mapping step: the mapping editor; saving continues to the next step. Loaded lazily, so that the URL stays
 * visible.
 */
import { Suspense } from 'react';
import { useIntl } from 'react-intl';
import { ErrorBoundary } from '../../ui/layout/error-boundary.tsx';
import { lazyWithRetry } from '../../ui/layout/lazy-with-retry.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';

const MappingEditor = lazyWithRetry(
  async () => (await import('../mapping/mapping-editor.tsx')).MappingEditor,
);

type Props = { readonly webhookId: string; readonly onSaved: () => void };

export function MappingStep({ webhookId, onSaved }: Props) {
  const { formatMessage } = useIntl();
  return (
    <>
      <p className="soft">{formatMessage({ id: 'setup.mappingHint' })}</p>
      <ErrorBoundary>
        <Suspense fallback={<Loading lines={24} />}>
          <MappingEditor
            webhookId={webhookId}
            saveLabel={formatMessage({ id: 'setup.saveMapping' })}
            onSaved={onSaved}
          />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}
