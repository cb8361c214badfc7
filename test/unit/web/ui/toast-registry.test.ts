/** Closing toasts, both visible and queued. */
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';
import {
  createToastRegistry,
  type ToastMessage,
} from '../../../../web/src/ui/overlays/toast-registry.ts';

/** All toasts in order of appearance, newest first. */
function open() {
  const queue = new ToastQueue<ToastMessage>({ maxVisibleToasts: 3 });
  const registry = createToastRegistry({
    add: (one, options) => queue.add(one, options),
    close: (key) => queue.close(key),
    clear: () => queue.clear(),
  });
  function seen(): string[] {
    const text: string[] = [];
    for (;;) {
      const [next] = queue.visibleToasts;
      if (!next) return text;
      text.push(next.content.text);
      queue.close(next.key);
    }
  }
  return { ...registry, seen };
}

const nothing = () => {};

test('a closed toast does not return from the queue', () => {
  const { showToast, closeToast, seen } = open();
  showToast('A sample goes', nothing, 'sample 1');
  for (const text of ['One', 'Two', 'Three']) showToast(text);
  closeToast('sample 1');
  expect(seen()).toEqual(['Three', 'Two', 'One']);
});

test('a toast about the same subject replaces the earlier one', () => {
  const { showToast, seen } = open();
  showToast('Paused', nothing, 'webhook 1');
  for (const text of ['One', 'Two', 'Three']) showToast(text);
  showToast('Resumed', nothing, 'webhook 1');
  showToast('Paused too', nothing, 'webhook 10');
  expect(seen()).toEqual(['Paused too', 'Resumed', 'Three', 'Two', 'One']);
});

test('closing one kind keeps other kinds', () => {
  const { showToast, closeToasts, seen } = open();
  showToast('Merged', nothing, 'contact merge 1');
  showToast('Paused', nothing, 'webhook 1');
  showToast('Pinned', nothing, 'contact pin 1 name');
  showToast('Copied');
  closeToasts('contact');
  expect(seen()).toEqual(['Copied', 'Paused']);
});

test('closing all toasts allows new ones', () => {
  const { showToast, closeToast, closeToasts, seen } = open();
  showToast('Paused', nothing, 'webhook 1');
  closeToasts();
  showToast('Paused again', nothing, 'webhook 1');
  closeToast('webhook 1');
  expect(seen()).toEqual([]);
});
