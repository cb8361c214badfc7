/**
 * Manages the focus across navigation.
 *
 * Promises: after a navigation the focus is on the heading of the page; when the focused element disappears,
 * the focus moves to the heading of its section; a disabled element gets it back. A focus that the user or a
 * field took is kept.
 */
import { useEffect, useRef, type RefObject } from 'react';

/** By then dialogs have restored the focus, and components have moved it. */
const settledMs = 120;
const parts = 'li, article, section, form, main';
const headings = 'h1, h2, h3';

const isLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;
const isMounted = (element: Element): boolean =>
  element.isConnected && !element.matches(':disabled, :disabled *');
const isBehindDialog = (main: Element): boolean =>
  main.closest('[inert], [aria-hidden="true"]') !== null;

/** The element and its ancestors up to the page content. */
function pathOf(element: Element, main: Element): readonly Element[] {
  const path: Element[] = [];
  for (let one: Element | null = element; one && main.contains(one); one = one.parentElement) {
    path.push(one);
  }
  return path;
}

function headingNear(path: readonly Element[]): HTMLElement | null {
  const around = path.filter((one) => one.isConnected && one.matches(parts));
  for (const one of around) {
    const heading = one.querySelector<HTMLElement>(headings);
    if (heading) return heading;
  }
  return null;
}

function focus(heading: HTMLElement): void {
  if (!heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function createKeeper(main: HTMLElement) {
  let path: readonly Element[] = [];
  /** A navigation, started by the focused element. */
  let opener: Element | null = null;
  /** Disabled during its request; the focus waits at the heading. */
  let owed: { readonly to: HTMLElement; readonly at: Element } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function arrive(by: Element): void {
    const heading = main.querySelector<HTMLElement>(headings);
    if (!heading) return;
    opener = null;
    if (isLost() || document.activeElement === by) focus(heading);
  }

  function restoreFocus(): void {
    const had = path[0];
    if (!had || !isLost()) return;
    if (isMounted(had) && had instanceof HTMLElement) return had.focus({ preventScroll: true });
    const heading = headingNear(path);
    if (!heading) return;
    focus(heading);
    owed = had.isConnected && had instanceof HTMLElement ? { to: had, at: heading } : null;
  }

  function check(): void {
    timer = undefined;
    if (isBehindDialog(main)) return;
    if (owed && document.activeElement === owed.at && isMounted(owed.to)) owed.to.focus();
    else if (opener) arrive(opener);
    else restoreFocus();
  }

  function checkLater(): void {
    if (owed || opener || (path.length > 0 && isLost())) timer ??= setTimeout(check, settledMs);
  }

  function onFocus({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    if (target !== owed?.at) owed = null;
    if (main.contains(target)) path = pathOf(target, main);
    else if (main.parentElement?.contains(target)) path = [];
  }

  /** Moved by the user: the former element still exists. */
  function onBlur(): void {
    queueMicrotask(() => {
      if (isLost() && path[0] && isMounted(path[0]) && !isBehindDialog(main)) path = [];
    });
  }

  const observer = new MutationObserver(checkLater);
  return {
    open(): void {
      // All content is new, and a part of it took the focus.
      if (main.contains(document.activeElement)) return;
      opener = document.activeElement ?? document.body;
      path = [main];
      checkLater();
    },
    start(): () => void {
      observer.observe(document.body, {
        childList: true,
        subtree: true,
        attributes: true,
        attributeFilter: ['disabled'],
      });
      document.addEventListener('focusin', onFocus);
      document.addEventListener('focusout', onBlur);
      return () => {
        observer.disconnect();
        clearTimeout(timer);
        timer = undefined;
        document.removeEventListener('focusin', onFocus);
        document.removeEventListener('focusout', onBlur);
      };
    },
  };
}

/** `isNew`: the user just signed in, without a page load. */
export function useFocus(
  content: RefObject<HTMLElement | null>,
  { pathname, isNew }: { readonly pathname: string; readonly isNew: boolean },
): void {
  const keeper = useRef<ReturnType<typeof createKeeper> | null>(null);
  const before = useRef(isNew ? null : pathname);
  useEffect(() => {
    if (!content.current) return undefined;
    keeper.current = createKeeper(content.current);
    return keeper.current.start();
  }, [content]);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    keeper.current?.open();
  }, [pathname]);
}
