/** A file of a message: small images are shown, every file can be downloaded. */
import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { Message } from './use-chat.ts';

type File = Message['files'][number];
type Props = { readonly chatId: string; readonly file: File };

const shownTypes: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];
const maxShownBytes = 4 * 1024 ** 2;

async function readFile(chatId: string, fileId: string, signal?: AbortSignal): Promise<Blob> {
  const params = { chatId, fileId };
  const response = await client.open('getChatFile', { params, ...(signal && { signal }) });
  return response.blob();
}

export function Attachment({ chatId, file }: Props) {
  const { formatMessage, formatNumber } = useIntl();
  const isShown = shownTypes.includes(file.contentType) && file.bytes <= maxShownBytes;
  async function download(): Promise<void> {
    const url = URL.createObjectURL(await readFile(chatId, file.id));
    const link = document.createElement('a');
    link.href = url;
    link.download = file.name;
    link.click();
    URL.revokeObjectURL(url);
  }
  const size = formatNumber(file.bytes / 1024, {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 0,
  });
  return (
    <span className="inbox-file">
      {isShown && <Picture chatId={chatId} file={file} />}
      <Button
        isSmall
        aria-label={formatMessage({ id: 'inbox.file.download' }, { name: file.name })}
        onPress={() =>
          void download().catch(() => showToast(formatMessage({ id: 'inbox.file.failed' })))
        }
      >
        <Download aria-hidden />
        <span className="clip">{file.name}</span>
        <span className="soft">{size}</span>
      </Button>
    </span>
  );
}

/** Nothing is shown until the image is loaded; its name is on the button below. */
function Picture({ chatId, file }: Props) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    let made: string | null = null;
    readFile(chatId, file.id, controller.signal).then(
      (blob) => {
        if (controller.signal.aborted) return;
        made = URL.createObjectURL(new Blob([blob], { type: file.contentType }));
        setUrl(made);
      },
      () => undefined,
    );
    return () => {
      controller.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [chatId, file.id, file.contentType]);
  return url === null ? null : <img src={url} alt={file.name} />;
}
