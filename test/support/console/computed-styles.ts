// The computed styles of a screen's elements, to find rules of one screen that change another.
import type { Page } from 'playwright-core';

/** One line for each element and pseudo-element, in document order: its tags and places from the root, then its styles. */
export type ComputedStyles = readonly string[];

/** What rules set, without what follows from text, such as a width. */
const properties = [
  'display position float z-index visibility opacity cursor content flex-direction flex-wrap flex-grow',
  'flex-shrink flex-basis order align-items align-content align-self justify-content justify-items',
  'justify-self row-gap column-gap grid-auto-flow grid-column grid-row margin-top margin-right',
  'margin-bottom margin-left padding-top padding-right padding-bottom padding-left border-top',
  'border-right border-bottom border-left border-radius background-color background-image box-shadow',
  'color font-family font-size font-style font-weight font-variant-numeric line-height letter-spacing',
  'text-align text-decoration-line text-overflow text-transform white-space overflow-wrap overflow-x',
  'overflow-y vertical-align list-style-type min-width max-width min-height max-height transform',
  'animation-name',
].flatMap((line) => line.split(' '));

/** In the page. */
const reading = `(names) => {
  const lines = [];
  const visit = (element, path) => {
    for (const pseudo of ['', '::before', '::after']) {
      const style = getComputedStyle(element, pseudo);
      if (pseudo !== '' && style.content === 'none') continue;
      const values = names.map((name) => name + ': ' + style.getPropertyValue(name));
      lines.push(path + pseudo + ' { ' + values.join('; ') + ' }');
    }
    if (element instanceof SVGElement) return;
    [...element.children].forEach((child, at) => visit(child, path + ' > ' + child.localName + ':' + (at + 1) + '/' + element.children.length));
  };
  visit(document.body, 'body');
  return lines;
}`;

/** The mouse rests on nothing, so that no element is hovered. */
export async function readComputedStyles(page: Page): Promise<ComputedStyles> {
  await page.mouse.move(0, 0);
  return page.evaluate<string[]>(`(${reading})(${JSON.stringify(properties)})`);
}

const maxLines = 5;

/** The first differences, with the properties that differ. */
export function styleDifferences(expected: ComputedStyles, found: ComputedStyles): string[] {
  const known = new Map(expected.map(splitLine));
  const all = found.map(splitLine);
  const lines = all.flatMap(([path, styles]) => {
    const before = known.get(path);
    // Data may have changed; a rule adds no element.
    if (before === undefined) return known.has(elementOf(path)) ? [`${path} is new`] : [];
    const [left, right] = [before.split('; '), styles.split('; ')];
    const differing = right.filter((one, at) => one !== left[at]);
    if (differing.length === 0) return [];
    const old = left.filter((one, at) => one !== right[at]);
    return [`${path}: ${differing.join(', ')} instead of ${old.join(', ')}`];
  });
  const sameCount = all.filter(([path]) => known.has(path)).length;
  if (sameCount < all.length / 2) return [`Of ${all.length} elements only ${sameCount} are known.`];
  return lines.slice(0, maxLines);
}

/** The path of a pseudo-element's element; empty for an element. */
const elementOf = (path: string): string => (path.includes('::') ? path.replace(/::.*$/, '') : '');

const splitLine = (line: string): [string, string] => {
  const at = line.indexOf(' { ');
  return [line.slice(0, at), line.slice(at + 3, -2)];
};
