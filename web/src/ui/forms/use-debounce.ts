/** Debounces a callback: runs the last one when the pause is over. */
import { useEffect, useRef } from 'react';

/** Cancelled by a navigation, even while the next page is still loading. */
export function useDebounce(pauseMs: number): (act: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (act) => {
    const { pathname } = window.location;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (window.location.pathname === pathname) act();
    }, pauseMs);
  };
}
