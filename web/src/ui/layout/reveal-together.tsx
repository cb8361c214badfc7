/** Parts of a page that read by themselves, shown at once, so that none pushes another about. */
import './reveal-together.css';
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Loading } from '../feedback/loading.tsx';

/** A slow answer does not hold the others back for longer. */
const longestMs = 3_000;
const isAwaited = ({ state }: Query): boolean => state.status === 'pending';

type TogetherProps = {
  /** Stands first, in a place that is there from the beginning: only what comes into one is read out. */
  readonly said?: { readonly label: string; readonly what: ReactNode };
  readonly children: ReactNode;
};

/** Not seen before every first answer that anything waits for is there; after a while as it is. */
export function RevealTogether({ said, children }: TogetherProps) {
  const queries = useQueryClient();
  const awaited = useIsFetching({ predicate: isAwaited });
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isShown || awaited > 0) return undefined;
    // Two frames on, what is asked for only once an answer is there has been asked for.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (queries.isFetching({ predicate: isAwaited }) === 0) setShown(true);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [awaited, isShown, queries]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), longestMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {said && (
        <div className="stack tight reveal-said" role="status" aria-label={said.label}>
          {isShown && said.what}
        </div>
      )}
      {!isShown && (
        <div className="reveal-wait">
          <Loading lines={10} />
        </div>
      )}
      <div className={isShown ? 'stack' : 'stack reveal-later'}>{children}</div>
    </>
  );
}
