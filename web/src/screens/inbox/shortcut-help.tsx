/** Lists the keyboard shortcuts. */
import { useIntl } from 'react-intl';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { shortcutKeys } from '../chat/shortcuts.ts';

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const { formatMessage } = useIntl();
  const own = ['↑ ↓', 'Enter'].map((keys, at): Description => [
    keys,
    formatMessage({ id: `inbox.key.${at === 0 ? 'move' : 'open'}` }),
  ]);
  const letters = Object.entries(shortcutKeys).map(([name, key]): Description => [
    key,
    formatMessage({ id: `inbox.key.${name}` }),
  ]);
  return (
    <Dialog title={formatMessage({ id: 'inbox.keys' })} isOpen onClose={onClose}>
      <DescriptionList items={[...own, ...letters]} />
      <p className="small soft">{formatMessage({ id: 'inbox.keys.where' })}</p>
    </Dialog>
  );
}
