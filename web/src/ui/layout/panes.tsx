/** Tab panels without their own URLs. For parts with URLs see tabs. */
import { useRef, type ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { useOverflow } from './use-overflow.ts';

export type Pane = { readonly id: string; readonly label: string; readonly content: ReactNode };

type PanesProps = { readonly label: string; readonly panes: readonly Pane[] };

export function Panes({ label, panes }: PanesProps) {
  const bar = useRef<HTMLDivElement>(null);
  useOverflow(bar, '[aria-selected="true"]', label);
  // Set explicitly, so that the first render has its content.
  const first = panes[0]?.id;
  return (
    <Tabs className="panes stack" {...(first && { defaultSelectedKey: first })}>
      <TabList className="tabs" aria-label={label} items={panes} ref={bar}>
        {({ id, label: text }) => <Tab id={id}>{text}</Tab>}
      </TabList>
      {panes.map(({ id, content }) => (
        <TabPanel key={id} id={id} className="stack">
          {content}
        </TabPanel>
      ))}
    </Tabs>
  );
}
