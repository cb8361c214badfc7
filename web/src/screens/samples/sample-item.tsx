/** One sample in the list: name or time, source and size. */
import { Pin } from 'lucide-react';
import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { RelativeTime } from '../../ui/data/time.tsx';

export type Sample = Answer<'getWebhookSample'>;

export function SampleItem({ sample }: { readonly sample: Sample }) {
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
