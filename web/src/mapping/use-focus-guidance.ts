/**
 * Leads on while a field is chosen: to the fields, and back to the target. Where only one side is seen, by bringing it
 * into view; where the keyboard is used, by moving the focus to the search, behind which the tree comes.
 */
import { useEffect, useRef } from 'react';
import type { Waiting } from './editor-context.tsx';

/** By then a menu has closed and given the focus back. */
const afterMenuMs = 60;

const isByKeyboard = (): boolean => document.activeElement?.matches(':focus-visible') ?? false;

/** Whoever is there already is not taken away from it. */
const isIn = (place: string): boolean =>
  Boolean(document.activeElement?.closest(`.mapping ${place}`));

function toFields(): void {
  const sides = document.querySelector<HTMLElement>('.mapping .sides');
  if (sides && sides.offsetParent !== null) sides.scrollIntoView({ block: 'start' });
  if (!isByKeyboard() || isIn('.fields-pane')) return;
  document.querySelector<HTMLElement>('.mapping .field-search input')?.focus();
}

function toTarget(target: string): void {
  const row = document.querySelector(`[data-mapping-target="${CSS.escape(target)}"]`);
  const sides = document.querySelector<HTMLElement>('.mapping .sides');
  if (sides && sides.offsetParent !== null) row?.scrollIntoView({ block: 'center' });
  // What had the focus may be gone, such as the button that cancels.
  const isLost = document.activeElement === document.body;
  if (!isLost && (!isByKeyboard() || isIn('.targets-pane') || isIn('.sides'))) return;
  row?.querySelector<HTMLElement>('.target-name')?.focus({ preventScroll: isLost });
}

export function useGuidance(waiting: Waiting | null): void {
  const before = useRef<Waiting | null>(null);
  useEffect(() => {
    const last = before.current;
    before.current = waiting;
    if (!waiting && !last) return undefined;
    const timer = setTimeout(() => {
      if (waiting) toFields();
      else if (last) toTarget(last.target);
    }, afterMenuMs);
    return () => clearTimeout(timer);
  }, [waiting]);
}
