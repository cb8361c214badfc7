/** A card around a table: one heading and one frame. */
import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/card.tsx';

type Props = {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export const TableCard = ({ title, actions, children }: Props) => (
  <Card>
    <div className="row spread">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </Card>
);
