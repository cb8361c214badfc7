// What a screen must be on a phone: as wide as it, and what is last must come up over the navigation at its foot.
import type { Visit } from './console.ts';

export const phone = { width: 390, height: 844 };

/** As the browser has it, as far as it is needed here. */
type Control = {
  readonly ownerDocument: {
    readonly documentElement: { readonly scrollHeight: number };
    readonly defaultView: { readonly scrollY: number };
  };
  readonly getBoundingClientRect: () => { readonly bottom: number };
};

/** What is wrong with the screen that is open, at a phone's width. */
export async function phoneProblems({ page, find, say }: Visit): Promise<string[]> {
  const problems: string[] = [];
  const overhang = Number(
    await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  );
  if (overhang > 0) problems.push(`${overhang} px wider than a phone`);
  // Wherever it is scrolled to just now: what lies beneath the last control must hold the navigation.
  const main = find('main', /^/);
  const last = main.getByRole('button').or(main.getByRole('link')).last();
  const room = await last.evaluate((element) => {
    const control = element as unknown as Control;
    const { documentElement, defaultView } = control.ownerDocument;
    const end = control.getBoundingClientRect().bottom + defaultView.scrollY;
    return documentElement.scrollHeight - end;
  });
  const foot = await find('navigation', say('shell.places')).boundingBox();
  const missing = (foot?.height ?? 0) - room;
  if (missing > 0) problems.push(`its last control is ${Math.round(missing)} px short of the end`);
  return problems;
}

/** Fails where it does not fit. */
export async function fitsPhone(visit: Visit, step: string): Promise<void> {
  const problems = await phoneProblems(visit);
  if (problems.length > 0) throw new Error(`${step}: ${problems.join('; ')}`);
}
