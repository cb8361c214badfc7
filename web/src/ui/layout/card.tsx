/** A titled section of a screen, with its actions. */
import type { ReactNode } from 'react';

export function Card({
  id,
  title,
  actions,
  children,
}: {
  /** An anchor in the page. */
  readonly id?: string;
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="card stack" id={id} aria-label={title}>
      {(title !== undefined || actions !== undefined) && (
        <div className="row spread">
          {title !== undefined && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
