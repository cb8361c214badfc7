/** Manual changes of a contact. Changes by events are in its list of events. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import type { Contact } from '../contacts/use-contact.ts';
import styles from '../contacts/contacts.module.css';

type Entry = Contact['history'][number];
const shownAtFirst = 6;

/** The action code of the audit log. */
const known = new Set(['contact.change', 'contact.merge', 'contact.unmerge', 'contact.erase']);

export function HistoryCard({ history }: Pick<Contact, 'history'>) {
  const { formatMessage } = useIntl();
  const [isWhole, setWhole] = useState(false);
  const changes = history.filter(({ kind }) => kind === 'change');
  const shown = isWhole ? changes : changes.slice(0, shownAtFirst);
  return (
    <Card title={formatMessage({ id: 'contacts.history' })}>
      {changes.length === 0 && (
        <p className="soft">{formatMessage({ id: 'contacts.noHistory' })}</p>
      )}
      {shown.length > 0 && (
        <ol className={styles.lines}>
          {shown.map((entry) => (
            <li key={`${entry.at} ${entry.what ?? ''} ${entry.contactId ?? ''}`}>
              <span className={styles.historyLine}>
                <HistoryText entry={entry} />
                <span className="small soft">
                  <RelativeTime at={entry.at} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      )}
      {changes.length > shownAtFirst && (
        <div>
          <Button isSmall onPress={() => setWhole(!isWhole)}>
            {formatMessage(
              { id: isWhole ? 'contacts.lessHistory' : 'contacts.moreHistory' },
              { count: changes.length },
            )}
          </Button>
        </div>
      )}
    </Card>
  );
}

function HistoryText({ entry: { what, by } }: { readonly entry: Entry }) {
  const { formatMessage } = useIntl();
  const name = what !== null && known.has(what) ? what.replace('contact.', '') : 'other';
  return (
    <span>
      {formatMessage({ id: `contacts.history.${name}` }, { by: by ?? '', what: what ?? '' })}
    </span>
  );
}
