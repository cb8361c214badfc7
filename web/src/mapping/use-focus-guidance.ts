/**
 * Guides the user while a target waits for a field: to the fields, and back to the target. In the single-pane
 * layout it scrolls them into view; for keyboard users it moves the focus to the search in front of the tree.
 */
import { useEffect, useRef } from 'react';
import type { PendingTarget } from './editor-context.tsx';

/** By then a menu has closed and restored the focus. */
const afterMenuMs = 60;

const paneSwitchSelector = '[data-part="pane-switch"]';

const isByKeyboard = (): boolean => document.activeElement?.matches(':focus-visible') ?? false;

/** Does not move a focus that is already in the pane. */
const isFocusIn = (selector: string): boolean => Boolean(document.activeElement?.closest(selector));

function toFields(): void {
  const paneSwitch = document.querySelector<HTMLElement>(paneSwitchSelector);
  if (paneSwitch && paneSwitch.offsetParent !== null) paneSwitch.scrollIntoView({ block: 'start' });
  if (!isByKeyboard() || isFocusIn('[data-part="fields"]')) return;
  document.querySelector<HTMLElement>('[data-part="fields"] [type="search"]')?.focus();
}

function toTarget(target: string): void {
  const row = document.querySelector(`[data-mapping-target="${CSS.escape(target)}"]`);
  const paneSwitch = document.querySelector<HTMLElement>(paneSwitchSelector);
  if (paneSwitch && paneSwitch.offsetParent !== null) row?.scrollIntoView({ block: 'center' });
  // The focused element may be gone, such as the cancel button.
  const isLost = document.activeElement === document.body;
  if (
    !isLost &&
    (!isByKeyboard() || isFocusIn('[data-part="targets"]') || isFocusIn(paneSwitchSelector))
  )
    return;
  row?.querySelector<HTMLElement>('[data-part="target-name"]')?.focus({ preventScroll: isLost });
}

export function useFocusGuidance(pendingTarget: PendingTarget | null): void {
  const before = useRef<PendingTarget | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = pendingTarget;
    if (!pendingTarget && !last) return undefined;
    const timer = setTimeout(() => {
      if (pendingTarget) toFields();
      else if (last) toTarget(last.target);
    }, afterMenuMs);
    return () => clearTimeout(timer);
  }, [pendingTarget]);
}
