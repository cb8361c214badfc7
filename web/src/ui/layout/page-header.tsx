/** The heading of a screen: breadcrumbs, title, lead and actions. Sets the document title. */
import { useEffect, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { BreakableText } from '../text/breakable-text.tsx';

type Crumb = { readonly label: string; readonly href: string };

/** Also sets the document title; `part` is the open tab. */
export function PageHeader({
  title,
  part,
  breadcrumbs = [],
  badge,
  lead,
  actions,
}: {
  readonly title: string;
  readonly part?: string | undefined;
  readonly breadcrumbs?: readonly Crumb[];
  /** Beside the title. */
  readonly badge?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}) {
  useEffect(() => {
    document.title = [part, title, 'Inlet'].filter((word) => word !== undefined).join(' · ');
  }, [title, part]);
  return (
    <header className="page-header">
      <div className="stack tight">
        {breadcrumbs.length > 0 && (
          <div className="breadcrumbs">
            {breadcrumbs.map(({ label, href }) => (
              <span key={href}>
                <Link href={href}>{label}</Link>
              </span>
            ))}
          </div>
        )}
        <div className="row">
          <h1>
            <BreakableText>{title}</BreakableText>
          </h1>
          {badge}
        </div>
        {lead !== undefined && <div className="soft">{lead}</div>}
      </div>
      {actions !== undefined && <div className="row">{actions}</div>}
    </header>
  );
}
