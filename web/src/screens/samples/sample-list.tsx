/** The list of samples: name or time, source and size. */
import { Pin } from 'lucide-react';
import { useMemo } from 'react';
import { Button } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { RelativeTime } from '../../ui/data/time.tsx';
import styles from './samples.module.css';

export type Sample = Answer<'getWebhookSample'>;

type ListProps = {
  readonly samples: readonly Sample[];
  readonly opened: string | null;
  readonly onOpen: (id: string) => void;
};

export function SampleList({ samples, opened, onOpen }: ListProps) {
  const { formatMessage } = useIntl();
  return (
    <ul aria-label={formatMessage({ id: 'samples.list' })}>
      {samples.map((sample) => (
        <li key={sample.id}>
          <Button
            className={styles.samplesItem}
            aria-current={sample.id === opened ? 'true' : undefined}
            onPress={() => onOpen(sample.id)}
          >
            <Item sample={sample} />
          </Button>
        </li>
      ))}
    </ul>
  );
}

function Item({ sample }: { readonly sample: Sample }) {
  const { formatMessage } = useIntl();
  const { name, receivedAt, source, eventId, pinned } = sample;
  const from = eventId !== null ? 'event' : source;
  return (
    <>
      <span className="row spread">
        <strong className="clip">{name ?? <RelativeTime at={receivedAt} />}</strong>
        {pinned && <Pin size={15} aria-label={formatMessage({ id: 'samples.pinned' })} />}
      </span>
      <span className="small soft clip">
        {formatMessage({ id: `samples.from.${from}` })} · <Size body={sample.body} />
        {name !== null && (
          <>
            {' · '}
            <RelativeTime at={receivedAt} />
          </>
        )}
      </span>
    </>
  );
}

/** The size of the body as JSON. */
export function Size({ body }: { readonly body: unknown }) {
  const { formatNumber } = useIntl();
  const bytes = useMemo(() => new Blob([JSON.stringify(body) ?? '']).size, [body]);
  const [unit, value] = bytes < 1_000 ? ['byte', bytes] : ['kilobyte', bytes / 1_000];
  return (
    <span className="numbers">
      {formatNumber(value as number, {
        style: 'unit',
        unit: unit as string,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: 1,
      })}
    </span>
  );
}
