/** Does the last of what was asked for, once no more has been asked for so long. */
import { useEffect, useRef } from 'react';

/** Nothing is done for whoever has gone on to another page, although the next may still be on its way. */
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
