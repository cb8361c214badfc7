/** Rolls back to the version that was active before, with undo. */
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client, InletError, type Answer } from '../../api/client.ts';
import { useInvalidate } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { affectedOperations } from './affected-operations.ts';

type Webhook = Answer<'getWebhook'>;

/** False when another version was activated since. */
async function rollBack({ id, activeVersion }: Webhook): Promise<boolean> {
  const { data, tag } = await client.read('getWebhook', { params: { id } });
  if (data.activeVersion !== activeVersion) return false;
  try {
    const headers: Record<string, string> = tag === null ? {} : { 'if-match': tag };
    await client.call('rollbackWebhook', { params: { id }, body: {}, headers });
    return true;
  } catch (error) {
    if (error instanceof InletError && error.status === 412) return false;
    throw error;
  }
}

/** Renders nothing when there is no earlier version. */
export function RollBack({ webhook }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const [isBusy, setBusy] = useState(false);
  const { id, activeVersion, previousVersion } = webhook;
  const about = `versions ${id}`;
  if (previousVersion === null || activeVersion === null) return null;
  const failed = (error: unknown) =>
    showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
  async function forward(version: number) {
    try {
      await client.call('activateWebhookMapping', {
        params: { id, version: String(version) },
        body: {},
      });
      showToast(formatMessage({ id: 'versions.activated' }, { version }), undefined, about);
    } catch (error) {
      failed(error);
    }
    refresh(...affectedOperations);
  }
  async function back(from: number) {
    setBusy(true);
    try {
      const isDone = await rollBack(webhook);
      if (isDone) {
        const text = formatMessage({ id: 'versions.rolledBack' }, { version: previousVersion });
        showToast(text, () => void forward(from), about);
      } else showToast(formatMessage({ id: 'versions.changedByOther' }));
    } catch (error) {
      failed(error);
    }
    refresh(...affectedOperations);
    setBusy(false);
  }
  return (
    <Button isDisabled={isBusy} onPress={() => void back(activeVersion)}>
      <Undo2 aria-hidden />
      {formatMessage({ id: 'versions.rollBack' }, { version: previousVersion })}
    </Button>
  );
}
