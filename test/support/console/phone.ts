// Checks of a screen on a phone: no horizontal scrolling, no small text or control, and the last control is not covered
// by the bottom navigation.
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

/** In the page: visible text below 11 px, and controls below 32 px. Links within text have the size of the text. */
const findSmall = `() => {
  const isClipped = (element) => {
    if (element === null) return false;
    const { clip, clipPath } = getComputedStyle(element);
    return clip !== 'auto' || clipPath !== 'none' || isClipped(element.parentElement);
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !isClipped(element);
  const nameOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40) || element.outerHTML.slice(0, 80);
  const problems = [];
  for (const element of document.body.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== '');
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (hasText && size < 11 && shown(element)) problems.push('text of ' + size + ' px: ' + nameOf(element));
  }
  const controls = 'button, [role=button], [role=tab], [role=radio], nav a, summary, input:not([type=hidden], [type=checkbox], [type=radio], [type=file])';
  for (const control of document.body.querySelectorAll(controls)) {
    const { width, height } = control.getBoundingClientRect();
    if (width > 1 && height > 1 && Math.min(width, height) < 31.5 && shown(control)) {
      problems.push('control of ' + Math.round(width) + ' × ' + Math.round(height) + ' px: ' + nameOf(control));
    }
  }
  return [...new Set(problems)].slice(0, 12);
}`;

/** The problems of the current screen at phone width. */
export async function phoneProblems({ page, find, textOf }: Visit): Promise<string[]> {
  const problems = await page.evaluate<string[]>(`(${findSmall})()`);
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
