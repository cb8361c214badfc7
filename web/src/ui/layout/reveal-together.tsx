/** Reveals independently loading parts of a page together, to avoid layout shifts. */
import './reveal-together.css';
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Loading } from '../feedback/loading.tsx';

/** The maximum wait for a slow response. */
const longestMs = 3_000;
const isAwaited = ({ state }: Query): boolean => state.status === 'pending';

type RevealTogetherProps = {
  /** Rendered first in a permanent live region: screen readers only announce changes of existing regions. */
  readonly announcement?: { readonly label: string; readonly content: ReactNode };
  readonly children: ReactNode;
};

/** Hidden until all first responses have arrived, or until the maximum wait. */
export function RevealTogether({ announcement, children }: RevealTogetherProps) {
  const queries = useQueryClient();
  const awaited = useIsFetching({ predicate: isAwaited });
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isShown || awaited > 0) return undefined;
    // After two frames, dependent queries have started too.
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
      {announcement && (
        <div className="stack tight reveal-said" role="status" aria-label={announcement.label}>
          {isShown && announcement.content}
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
