// How fast a person is who does this for the first time: before each thing that is done, the time that a person takes for it goes by, and
// before that the time to read every word that has newly come onto the screen.
//
// The times are those of the keystroke-level model (Card, Moran and Newell, "The keystroke-level model for user performance time
// with interactive systems", Communications of the ACM 23(7), 1980), with its average non-secretary typist; the reading rate is the
// mean of adults who read English silently (Brysbaert, "How many words do we read per minute?", Journal of Memory and Language 109,
// 2019).
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';

const thinkMs = 1_350;
const pointMs = 1_100;
/** Down and up. */
const buttonMs = 200;
const keyMs = 280;
/** From the mouse to the keyboard, or back. */
const handMs = 400;
const readMsPerWord = 60_000 / 238;

/** What a hand does next. */
export type Act =
  | { readonly kind: 'click' }
  | { readonly kind: 'keys'; readonly keys: number }
  /** By its two keys. */
  | { readonly kind: 'paste' };

export type Pace = ReturnType<typeof createPace>;

export function createPace() {
  const spent = { readMs: 0, actMs: 0, words: 0 };
  const read = new Set<string>();
  let hand: 'mouse' | 'keyboard' = 'keyboard';

  function costOf(act: Act): number {
    const wanted = act.kind === 'click' ? 'mouse' : 'keyboard';
    const turnMs = hand === wanted ? 0 : handMs;
    hand = wanted;
    if (act.kind === 'click') return thinkMs + turnMs + pointMs + buttonMs;
    return thinkMs + turnMs + keyMs * (act.kind === 'paste' ? 2 : act.keys);
  }

  /** Line by line; what was there before is known. */
  async function readNew(page: Page): Promise<void> {
    const text = await page.getByRole('main').innerText();
    const lines = text.split('\n').filter((line) => line.trim() !== '' && !read.has(line));
    for (const line of lines) read.add(line);
    const words = lines.join(' ').split(/\s+/).filter(Boolean).length;
    spent.words += words;
    spent.readMs += words * readMsPerWord;
    await pause(words * readMsPerWord);
  }

  return {
    spent,
    readNew,
    /** Away from the page, such as in a terminal. */
    async takes(...acts: readonly Act[]): Promise<void> {
      const ms = acts.reduce((sum, act) => sum + costOf(act), 0);
      spent.actMs += ms;
      await pause(ms);
    },
    async before(page: Page, act: Act): Promise<void> {
      await readNew(page);
      const ms = costOf(act);
      spent.actMs += ms;
      await pause(ms);
    },
  };
}
