/** The fourth step: the whole mapping editor, whose saving leads on. Without it the URL is still there to be copied. */
import { Suspense } from 'react';
import { useIntl } from 'react-intl';
import { Boundary } from '../../ui/layout/error-boundary.tsx';
import { late } from '../../ui/layout/lazy-with-retry.tsx';
import { Waiting } from '../../ui/feedback/parts.tsx';

const MappingEditor = late(
  async () => (await import('../mapping/mapping-editor.tsx')).MappingEditor,
);

type Props = { readonly webhookId: string; readonly onSaved: () => void };

export function MappingStep({ webhookId, onSaved }: Props) {
  const { formatMessage } = useIntl();
  return (
    <>
      <p className="soft">{formatMessage({ id: 'setup.mappingHint' })}</p>
      <Boundary>
        <Suspense fallback={<Waiting lines={24} />}>
          <MappingEditor
            webhookId={webhookId}
            saveLabel={formatMessage({ id: 'setup.saveMapping' })}
            onSaved={onSaved}
          />
        </Suspense>
      </Boundary>
    </>
  );
}
