/** Terms with their descriptions. */
import type { ReactNode } from 'react';

export type Description = readonly [term: string, description: ReactNode];

export const DescriptionList = ({ items }: { readonly items: readonly Description[] }) => (
  <dl className="description-list">
    {items.map(([term, description]) => (
      <div key={term} style={{ display: 'contents' }}>
        <dt>{term}</dt>
        <dd>{description}</dd>
      </div>
    ))}
  </dl>
);
