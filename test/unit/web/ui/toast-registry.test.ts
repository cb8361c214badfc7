/** What was told and shall not be seen any longer, of what is seen and of what waits behind it. */
import { UNSTABLE_ToastQueue as ToastQueue } from 'react-aria-components';
import { createTold, type Told } from '../../../../web/src/ui/overlays/toast-registry.ts';

/** All that is told, the newest first, as it would come up. */
function open() {
  const queue = new ToastQueue<Told>({ maxVisibleToasts: 3 });
  const told = createTold({
    add: (one, options) => queue.add(one, options),
    close: (key) => queue.close(key),
    clear: () => queue.clear(),
  });
  function seen(): string[] {
    const words: string[] = [];
    for (;;) {
      const [next] = queue.visibleToasts;
      if (!next) return words;
      words.push(next.content.words);
      queue.close(next.key);
    }
  }
  return { ...told, seen };
}

const nothing = () => {};

test('what is over does not come back from behind the others', () => {
  const { tell, hush, seen } = open();
  tell('A sample goes', nothing, 'sample 1');
  for (const words of ['One', 'Two', 'Three']) tell(words);
  hush('sample 1');
  expect(seen()).toEqual(['Three', 'Two', 'One']);
});

test('what is told about the same takes the place of what was told before', () => {
  const { tell, seen } = open();
  tell('Paused', nothing, 'webhook 1');
  for (const words of ['One', 'Two', 'Three']) tell(words);
  tell('Resumed', nothing, 'webhook 1');
  tell('Paused too', nothing, 'webhook 10');
  expect(seen()).toEqual(['Paused too', 'Resumed', 'Three', 'Two', 'One']);
});

test('of one kind all goes, and nothing of another', () => {
  const { tell, hushAll, seen } = open();
  tell('Merged', nothing, 'contact merge 1');
  tell('Paused', nothing, 'webhook 1');
  tell('Pinned', nothing, 'contact pin 1 name');
  tell('Copied');
  hushAll('contact');
  expect(seen()).toEqual(['Copied', 'Paused']);
});

test('all of it goes, and can be told again', () => {
  const { tell, hush, hushAll, seen } = open();
  tell('Paused', nothing, 'webhook 1');
  hushAll();
  tell('Paused again', nothing, 'webhook 1');
  hush('webhook 1');
  expect(seen()).toEqual([]);
});
