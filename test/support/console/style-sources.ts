// The stylesheets and rules that a page has, to find styles of one screen that could change another.
import type { Page } from 'playwright-core';

/** In the page. Rules of the code editor match only below a class that it generates. */
const reading = `(() => {
  const isOfEditor = ({ selectorText, name, cssRules }) => {
    const names = selectorText ?? name;
    if (names) return names.split(',').every((one) => /^\\s*(?:\\.\u037c|cm-)/.test(one));
    return [...cssRules].every(isOfEditor);
  };
  return [...document.styleSheets, ...document.adoptedStyleSheets].flatMap(({ href, cssRules }) =>
    href === null
      ? [...cssRules].filter((rule) => !isOfEditor(rule)).map(({ cssText }) => cssText)
      : ['file ' + new URL(href).pathname],
  );
})()`;

/** One line for each stylesheet file, and for each rule that scripts added. */
export const readStyleSources = (page: Page): Promise<string[]> => page.evaluate<string[]>(reading);
