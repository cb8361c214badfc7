/** The requests of an event: the first one and its resends, with the differences of their bodies. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { parsePointer } from '../../api/json-pointer.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import styles from './event.module.css';

type Delivery = Answer<'listEventDeliveries'>['results'][number];
type Change = NonNullable<Delivery['changes']>[number];

export function Resends({ eventId, count }: { readonly eventId: string; readonly count: number }) {
  const { formatMessage } = useIntl();
  const found = useApiQuery(
    'listEventDeliveries',
    { params: { id: eventId }, query: { per_page: 50 } },
    { enabled: count > 1 },
  );
  if (count <= 1) return null;
  return (
    <Card title={formatMessage({ id: 'event.resends' })}>
      <p className="soft small">{formatMessage({ id: 'event.resendsHint' }, { count })}</p>
      {found.isPending && <Loading lines={3} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <ol className={styles.resends}>
          {found.data.results.map((delivery) => (
            <li key={delivery.number} className="stack tight">
              <One delivery={delivery} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function One({ delivery }: { readonly delivery: Delivery }) {
  const { formatMessage } = useIntl();
  const { number, at, sameBody, revived, changes } = delivery;
  return (
    <>
      <div className="row">
        <strong>{formatMessage({ id: 'event.deliveryNumber' }, { number })}</strong>
        <span className="small soft">
          <Timestamp at={at} />
        </span>
        {(number > 1 || !sameBody) && (
          <Badge tone={sameBody ? 'plain' : 'warn'}>
            {formatMessage({ id: sameBody ? 'event.sameBody' : 'event.otherBody' })}
          </Badge>
        )}
        {revived && <Badge tone="info">{formatMessage({ id: 'event.revived' })}</Badge>}
      </div>
      {!sameBody && changes === null && (
        <p className="small soft">{formatMessage({ id: 'event.noCopy' })}</p>
      )}
      {changes !== null && (
        <ul className={styles.changes}>
          {changes.map((change) => (
            <Difference key={change.path} change={change} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Converts a JSON pointer to a dotted path. */
const pathWords = (pointer: string): string => parsePointer(pointer).join('.');

const maxShown = 300;
const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
};

/** Added and removed values also have a text, not only a colour. */
function Difference({ change: { path, kind, before, after } }: { readonly change: Change }) {
  const { formatMessage } = useIntl();
  return (
    <li>
      <code className="break">{pathWords(path)}</code>{' '}
      <span className="small soft">{formatMessage({ id: `event.change.${kind}` })}</span>
      <div className={styles.change}>
        {kind !== 'added' && <del className="break">{shown(before)}</del>}
        {kind !== 'removed' && <ins className="break">{shown(after)}</ins>}
      </div>
    </li>
  );
}
