// The Inlet and the browser of all stories that make webhooks and people of their own, so that one start is enough for them.
import { openConsole, type Console } from '../../../support/console/console.ts';

export let inlet: Console;
beforeAll(async () => {
  inlet = await openConsole('console_stories');
});
afterAll(() => inlet.close());
