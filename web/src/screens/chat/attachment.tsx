/** A file of a message: small images are shown, every file can be downloaded. */
import { Download } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import type { Message } from './use-chat.ts';
import styles from './chat.module.css';

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
    <span className={styles.inboxFile}>
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

/** Nothing is shown until the image is loaded; its name is on the button below. It is loaded when it comes into view. */
function Picture({ chatId, file }: Props) {
  const frame = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!frame.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  const read = useQuery({
    queryKey: ['getChatFile', chatId, file.id],
    queryFn: async ({ signal }) =>
      new Blob([await readFile(chatId, file.id, signal)], { type: file.contentType }),
    enabled: isSeen,
    // A file never changes.
    staleTime: Infinity,
  });
  const image = useRef<HTMLImageElement>(null);
  const { data: blob } = read;
  useEffect(() => {
    if (!blob || !image.current) return undefined;
    const url = URL.createObjectURL(blob);
    image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return (
    <span ref={frame} className={styles.inboxPicture}>
      {blob && <img ref={image} alt={file.name} />}
    </span>
  );
}
