/** Activates the webhook. Stored samples are processed only on request. */
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Checkbox } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';

type Webhook = Answer<'getWebhook'>;
type Props = { readonly webhook: Webhook; readonly onDone: () => void };

export function ActivateStep({ webhook, onDone }: Props) {
  const { formatMessage } = useIntl();
  const params = { id: webhook.id };
  const [isTaking, setTaking] = useState(false);
  const samples = useApiQuery('listWebhookSamples', { params, query: { per_page: 1 } });
  const versions = useApiQuery('listWebhookMappings', { params, query: { per_page: 1 } });
  const activate = useApiMutation('activateWebhook', {
    invalidates: [
      'getWebhook',
      'listWebhooks',
      'countWebhooks',
      'listWebhookMappings',
      'listEvents',
    ],
    onDone,
  });
  const version = versions.data?.results[0]?.version;
  const count = samples.data?.pagings.total ?? 0;
  if (webhook.status === 'active' && version === webhook.activeVersion) {
    return <Note tone="good">{formatMessage({ id: 'setup.alreadyActive' }, { version })}</Note>;
  }
  return (
    <>
      <p>{formatMessage({ id: 'setup.activateHint' })}</p>
      {!webhook.setup.active && count > 0 && (
        <Checkbox
          isSelected={isTaking}
          onChange={setTaking}
          hint={formatMessage({ id: 'setup.takeSamplesHint' })}
        >
          {formatMessage({ id: 'setup.takeSamples' }, { count })}
        </Checkbox>
      )}
      {activate.isError && <ErrorNote error={activate.error} />}
      <div>
        <Button
          variant="primary"
          isDisabled={activate.isPending || version === undefined}
          onPress={() =>
            activate.mutate({
              params,
              body: { version, ...(isTaking && { processSamples: true }) },
            })
          }
        >
          <Zap aria-hidden />
          {formatMessage({ id: activate.isPending ? 'setup.activating' : 'setup.activate' })}
        </Button>
      </div>
    </>
  );
}
