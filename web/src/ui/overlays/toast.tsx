/** Toast messages, with undo where possible. */
import { X } from 'lucide-react';
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button, IconButton } from '../forms/button.tsx';
import { createToastRegistry, type ToastMessage } from './toast-registry.ts';

const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 });

export const { showToast, closeToast, closeToasts } = createToastRegistry({
  add: (message, options) => queue.add(message, options),
  close: (key) => queue.close(key),
  clear: () => queue.clear(),
});

export function Toasts() {
  const { formatMessage } = useIntl();
  return (
    <ToastRegion queue={queue} className="toasts">
      {({ toast }) => (
        <AriaToast toast={toast} className="toast">
          <ToastContent className="words">
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.undo && (
            <Button
              isSmall
              onPress={() => {
                toast.content.undo?.();
                queue.close(toast.key);
              }}
            >
              {formatMessage({ id: 'ui.undo' })}
            </Button>
          )}
          <IconButton slot="close" isSmall label={formatMessage({ id: 'ui.close' })}>
            <X aria-hidden />
          </IconButton>
        </AriaToast>
      )}
    </ToastRegion>
  );
}
