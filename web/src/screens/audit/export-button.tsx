/** The log, or what the filters let through, as a file with one JSON object a line. */
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { wordsOf } from '../../ui/feedback/parts.tsx';
import { tell } from '../../ui/overlays/toast.tsx';
import type { filterIn } from './audit-rows.ts';

/** The token goes in a header, so that a plain link would not do. */
async function download(query: ReturnType<typeof filterIn>): Promise<void> {
  const response = await client.open('exportAudit', { query });
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = 'audit.ndjson';
  link.click();
  URL.revokeObjectURL(address);
}

export function Export({ filter }: { readonly filter: ReturnType<typeof filterIn> }) {
  const { formatMessage } = useIntl();
  const [isBusy, setBusy] = useState(false);
  async function run() {
    setBusy(true);
    try {
      await download(filter);
    } catch (error) {
      tell(wordsOf(error, formatMessage({ id: 'ui.noAnswer' })));
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
