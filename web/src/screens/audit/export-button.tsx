/** Downloads the filtered audit log as NDJSON. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { parseFilter } from './audit-rows.ts';

/** The token is sent in a header, so a plain link is not enough. */
async function download(query: ReturnType<typeof parseFilter>): Promise<void> {
  const response = await client.open('exportAudit', { query });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'audit.ndjson';
  link.click();
  URL.revokeObjectURL(address);
}

export function ExportButton({ filter }: { readonly filter: ReturnType<typeof parseFilter> }) {
  const { formatMessage } = useIntl();
  const [isBusy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    try {
      await download(filter);
    } catch (error) {
      showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
    }
    setBusy(false);
  }
  return (
    <Button isDisabled={isBusy} onPress={() => void run()}>
      <Download aria-hidden />
      {formatMessage({ id: isBusy ? 'audit.exporting' : 'audit.export' })}
    </Button>
  );
}
