/** Reveals independently loading parts of a page together, to avoid layout shifts. */
import { useIsFetching, useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { Loading } from '../feedback/loading.tsx';

/** The maximum wait for a slow response. */
const maxWaitMs = 3_000;
const isPendingQuery = ({ state }: Query): boolean => state.status === 'pending';

type RevealTogetherProps = {
  /** Rendered first in a permanent live region: screen readers only announce changes of existing regions. */
  readonly announcement?: { readonly label: string; readonly content: ReactNode };
  readonly children: ReactNode;
};

/** Hidden until all first responses have arrived, or until the maximum wait. */
export function RevealTogether({ announcement, children }: RevealTogetherProps) {
  const queries = useQueryClient();
  const pendingCount = useIsFetching({ predicate: isPendingQuery });
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (isShown || pendingCount > 0) return undefined;
    // After two frames, dependent queries have started too.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        if (queries.isFetching({ predicate: isPendingQuery }) === 0) setShown(true);
      });
    });
    return () => cancelAnimationFrame(frame);
  }, [pendingCount, isShown, queries]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), maxWaitMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      {announcement && (
        <div
          className="stack tight reveal-announcement"
          role="status"
          aria-label={announcement.label}
        >
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
