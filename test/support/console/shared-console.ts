// The Inlet and browser shared by the scenarios of one test file, to start them once.
import { openConsole, type Console } from './console.ts';

export let inlet: Console;

/** Call it before the scenarios are imported: their hooks use the console. */
export function shareConsole(...opening: Parameters<typeof openConsole>): void {
  beforeAll(async () => {
    inlet = await openConsole(...opening);
  });
  afterAll(() => inlet.close());
}
