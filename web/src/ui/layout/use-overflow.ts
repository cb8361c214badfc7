/**
 * For a row that may overflow: scrolls the selected element into view, and sets `data-more` on the sides with
 * hidden content.
 */
import { useEffect, type RefObject } from 'react';

const mark = (bar: HTMLElement) => {
  const { scrollLeft, clientWidth, scrollWidth } = bar;
  const sides = [
    scrollLeft > 1 && 'before',
    Math.ceil(scrollLeft) + clientWidth < scrollWidth - 1 && 'after',
  ];
  bar.dataset.more = sides.filter(Boolean).join(' ');
};

/** `wanted` is its selector; `resetKey` changes when the selection may change. Scrolls only the row, never the page. */
export function useOverflow(
  row: RefObject<HTMLElement | null>,
  wanted: string,
  resetKey: string,
): void {
  useEffect(() => {
    const bar = row.current;
    if (!bar) return undefined;
    const show = () => {
      const one = bar.querySelector<HTMLElement>(wanted);
      if (one) bar.scrollLeft = one.offsetLeft - (bar.clientWidth - one.offsetWidth) / 2;
      mark(bar);
    };
    const onScroll = () => mark(bar);
    const sizes = new ResizeObserver(show);
    sizes.observe(bar);
    bar.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      bar.removeEventListener('scroll', onScroll);
    };
  }, [row, wanted, resetKey]);
}
