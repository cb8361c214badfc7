/** The frame of the pages about the team: agents, sectors and labels. */
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';

const parts = ['agents', 'sectors', 'labels'] as const;
type Part = (typeof parts)[number];

type Props = {
  readonly part: Part;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
};

export function TeamFrame({ part, actions, children }: Props) {
  const { formatMessage } = useIntl();
  const label = (one: Part) => formatMessage({ id: `team.${one}` });
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.team' })}
        part={label(part)}
        lead={formatMessage({ id: `team.${part}.lead` })}
        actions={actions}
      />
      <Tabs
        label={formatMessage({ id: 'team.parts' })}
        tabs={parts.map((one) => ({ to: `/team/${one}`, label: label(one) }))}
      />
      {children}
    </div>
  );
}
