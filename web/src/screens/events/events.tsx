/** The event list: search, saved searches, columns, and the list with its live updates. All of the search is in the URL. */
import { Keyboard } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { ShortcutHelp } from '../../ui/shortcuts/shortcut-help.tsx';
import { boundedQuery, queryOf } from './event-filters.ts';
import { EventList } from './event-list.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { shortcutKeys } from './use-row-keys.ts';

export function Events() {
  const { formatMessage } = useIntl();
  const [address, setAddress] = useSearchParams();
  const [isHelp, setHelp] = useState(false);
  return (
    <div className="stack" data-part="events">
      <PageHeader
        title={formatMessage({ id: 'shell.events' })}
        lead={formatMessage({ id: 'events.lead' })}
        actions={
          <>
            <LinkButton href="/dead-letters">
              {formatMessage({ id: 'events.deadLetters' })}
            </LinkButton>
            <ExportMenu query={boundedQuery(queryOf(address))} />
            <IconButton label={formatMessage({ id: 'ui.shortcuts' })} onPress={() => setHelp(true)}>
              <Keyboard aria-hidden />
            </IconButton>
          </>
        }
      />
      <FilterBar address={address} onChange={(next) => setAddress(next)} />
      <EventList address={address} onHelp={() => setHelp(true)} />
      {isHelp && <EventsHelp onClose={() => setHelp(false)} />}
    </div>
  );
}

function EventsHelp({ onClose }: { readonly onClose: () => void }) {
  const { formatMessage } = useIntl();
  const shortcuts = Object.entries({ ...shortcutKeys, open: 'Enter' }).map(
    ([name, key]) => [key, formatMessage({ id: `events.key.${name}` })] as const,
  );
  return <ShortcutHelp shortcuts={shortcuts} onClose={onClose} />;
}
