// Checks of a screen on a phone: no horizontal scrolling, no small text or control, and the last control is not covered
// by the bottom navigation.
import { findSmallParts } from './accessibility.ts';
import type { Visit } from './console.ts';

export const phone = { width: 390, height: 844 };

/** The DOM types that are needed here. */
type Control = {
  readonly ownerDocument: {
    readonly documentElement: { readonly scrollHeight: number };
    readonly defaultView: { readonly scrollY: number };
  };
  readonly getBoundingClientRect: () => { readonly bottom: number };
};

/** The problems of the current screen at phone width. */
export async function phoneProblems({ page, find, textOf }: Visit): Promise<string[]> {
  const problems = await findSmallParts(page);
  const overhang = Number(
    await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
  );
  if (overhang > 0) problems.push(`${overhang} px wider than a phone`);
  // At any scroll position: the space below the last control must fit the navigation.
  const main = find('main', /^/);
  const last = main.getByRole('button').or(main.getByRole('link')).last();
  const room = await last.evaluate((element) => {
    const control = element as unknown as Control;
    const { documentElement, defaultView } = control.ownerDocument;
    const end = control.getBoundingClientRect().bottom + defaultView.scrollY;
    return documentElement.scrollHeight - end;
  });
  const foot = await find('navigation', textOf('shell.places')).boundingBox();
  const missing = (foot?.height ?? 0) - room;
  if (missing > 0) problems.push(`its last control is ${Math.round(missing)} px short of the end`);
  return problems;
}

/** Fails when the screen does not fit. */
export async function fitsPhone(visit: Visit, step: string): Promise<void> {
  const problems = await phoneProblems(visit);
  if (problems.length > 0) throw new Error(`${step}: ${problems.join('; ')}`);
}
