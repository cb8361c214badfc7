// The Inlet and browser shared by all scenarios that create their own webhooks and contacts, to start them once.
import { openConsole, type Console } from '../../../support/console/console.ts';

export let inlet: Console;
beforeAll(async () => {
  inlet = await openConsole('console_stories');
});
afterAll(() => inlet.close());
