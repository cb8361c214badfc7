/** Limits how often an action runs. */
import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns a function that runs `act` at once, and again at most `pauseMs` after it has ended. Calls while it runs or pauses
 * are one run afterwards.
 */
export function useThrottle(act: () => Promise<unknown>, pauseMs: number): () => void {
  const state = useRef({ isBusy: false, isWanted: false, isMounted: true });
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const { current } = state;
    current.isMounted = true;
    return () => {
      current.isMounted = false;
    };
  }, []);
  return useCallback(() => {
    const { current } = state;
    async function run(): Promise<void> {
      current.isBusy = true;
      while (current.isWanted && current.isMounted) {
        current.isWanted = false;
        await latest.current().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      current.isBusy = false;
    }
    current.isWanted = true;
    if (!current.isBusy) void run();
  }, [pauseMs]);
}
