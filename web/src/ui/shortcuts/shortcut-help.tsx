/** Lists the keyboard shortcuts of a screen. */
import { useIntl } from 'react-intl';
import { DescriptionList, type Description } from '../data/description-list.tsx';
import { Dialog } from '../overlays/dialog.tsx';

type Props = {
  /** Keys and what they do. */
  readonly shortcuts: readonly Description[];
  readonly onClose: () => void;
};

export function ShortcutHelp({ shortcuts, onClose }: Props) {
  const { formatMessage } = useIntl();
  return (
    <Dialog title={formatMessage({ id: 'ui.shortcuts' })} isOpen onClose={onClose}>
      <DescriptionList items={shortcuts} />
      <p className="small soft">{formatMessage({ id: 'ui.shortcutsHint' })}</p>
    </Dialog>
  );
}
