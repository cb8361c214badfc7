/** Dialogs. A destructive action is named in the title and on the button. */
import { useEffect, useRef, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../forms/button.tsx';
import { ErrorNote } from '../feedback/error-note.tsx';

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  /** The current part; when it changes, the focus moves to the title. */
  readonly part?: string;
  readonly children: ReactNode;
};

type TitleProps = Pick<DialogProps, 'title'> & { readonly part: string };

/**
 * Takes the focus when the part changes, and from elements that become disabled: without focus, Escape would
 * not close the dialog.
 */
function Title({ title, part }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(part);
  useEffect(() => {
    if (before.current === part) return;
    before.current = part;
    heading.current?.focus({ preventScroll: true });
  }, [part]);
  useEffect(() => {
    const dialog = heading.current?.parentElement;
    if (!dialog) return undefined;
    const observer = new MutationObserver(() => {
      const { activeElement, body } = document;
      // The browser drops the focus of a disabled element with its next picture, which may take any time.
      if (activeElement === body || activeElement?.matches(':disabled'))
        heading.current?.focus({ preventScroll: true });
    });
    observer.observe(dialog, { subtree: true, attributes: true, attributeFilter: ['disabled'] });
    return () => observer.disconnect();
  }, []);
  return (
    <Heading slot="title" level={2} ref={heading} tabIndex={-1}>
      {title}
    </Heading>
  );
}

export function Dialog({
  title,
  isOpen,
  onClose,
  isWide = false,
  part = '',
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      className="overlay"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={`modal ${isWide ? 'wide' : ''}`}>
        <AriaDialog>
          <Title title={title} part={part} />
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

type ConfirmProps = Omit<DialogProps, 'isWide'> & {
  /** The button text: verb and object. */
  readonly action: string;
  readonly isDanger?: boolean;
  readonly isBusy?: boolean;
  readonly error?: unknown;
  readonly onConfirm: () => void;
};

export function ConfirmDialog({
  action,
  isDanger = false,
  isBusy = false,
  error,
  onConfirm,
  children,
  ...dialog
}: ConfirmProps) {
  const { formatMessage } = useIntl();
  return (
    <Dialog {...dialog}>
      {children}
      {error !== undefined && error !== null && <ErrorNote error={error} />}
      <div className="actions">
        <Button onPress={dialog.onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
        <Button variant={isDanger ? 'danger' : 'primary'} isDisabled={isBusy} onPress={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
