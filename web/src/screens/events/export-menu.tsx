/**
 * Exports all events of a search as a file. The token is sent in a header, so the file is fetched here and has
 * no URL.
 */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { Query } from './event-filters.ts';

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

const maxWaitMs = 10 * 60_000;

export function ExportMenu({ query }: { readonly query: Query }) {
  const { formatMessage } = useIntl();
  const [isBusy, setBusy] = useState(false);
  const text = (id: string) => formatMessage({ id: `events.export.${id}` });
  async function run(payload: boolean) {
    setBusy(true);
    try {
      const response = await client.open('exportEvents', {
        query: { ...query, ...(payload && { payload }) },
        signal: AbortSignal.timeout(maxWaitMs),
      });
      save(await response.blob(), `events-${new Date().toISOString().slice(0, 10)}.ndjson`);
      showToast(text('done'));
    } catch (error) {
      showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Menu
      label={text('label')}
      items={[
        { id: 'plain', label: text('plain'), onAction: () => void run(false) },
        {
          id: 'payload',
          label: text('payload'),
          hint: text('payloadHint'),
          onAction: () => void run(true),
        },
      ]}
    >
      <Button isDisabled={isBusy}>
        <Download aria-hidden />
        {text(isBusy ? 'busy' : 'label')}
      </Button>
    </Menu>
  );
}
