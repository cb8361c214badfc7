/** Limits how often an action runs. The last call of a pause runs at its end. */
import { useCallback, useEffect, useRef } from 'react';

/** Returns a function that runs `act` at once, and then at most once in `pauseMs`. */
export function useThrottle(act: () => void, pauseMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const isWanted = useRef(false);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      timer.current = null;
    },
    [],
  );
  return useCallback(() => {
    function run(): void {
      isWanted.current = false;
      latest.current();
      timer.current = setTimeout(() => {
        timer.current = null;
        if (isWanted.current) run();
      }, pauseMs);
    }
    if (timer.current === null) run();
    else isWanted.current = true;
  }, [pauseMs]);
}
