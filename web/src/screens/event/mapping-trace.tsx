/** The values that the mapping version of the event read, with their sources. */
import { clsx } from 'clsx';
import { ArrowRight } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Link } from 'react-aria-components';
import type { Answer } from '../../api/client.ts';
import { InletError } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { LocationText } from '../../ui/location/location-text.tsx';
import { problemText, targetText } from '../../ui/reasons/reasons.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { traceTargets, withoutSplit, rawText, type TracedTarget } from './target-trace.ts';
import styles from './event.module.css';

type Event = Answer<'getEvent'>;

export function MappingTrace({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const { webhookId: id, mappingVersion } = event;
  const version = { id, version: mappingVersion };
  return (
    <Card
      title={formatMessage({ id: 'event.reading' })}
      actions={
        <Link href={`/webhooks/${id}/versions?version=${mappingVersion}`} className="small">
          {formatMessage({ id: 'event.version' }, version)}
        </Link>
      }
    >
      {event.items === null ? (
        <Read event={event} />
      ) : (
        <p className="soft">
          {formatMessage({ id: 'event.splitReading' }, { count: event.items })}
        </p>
      )}
    </Card>
  );
}

/**
 * As the worker mapped it: an item within its batch, because a mapping can also read fields outside the list.
 * An item without an id cannot be found there and is mapped alone.
 */
export function useReading(event: Event) {
  const { webhookId: id, mappingVersion: version, parentId, externalId } = event;
  const isCut = parentId !== null && externalId !== null;
  const batch = useApiQuery(
    'getEvent',
    { params: { id: parentId ?? '' } },
    { enabled: isCut, skipFocusRefetch: true },
  );
  const found = useApiQuery('getWebhookMapping', { params: { id, version: String(version) } });
  const mapping = found.data?.mapping;
  const whole = isCut ? batch.data : event;
  const payload = {
    body: whole?.payload as object,
    headers: whole?.headers as Record<string, string>,
    query: whole?.query as Record<string, string>,
  };
  const isAlone = parentId !== null && !isCut && mapping !== undefined;
  const preview = useApiQuery(
    'previewWebhookMappings',
    {
      params: { id },
      body: isAlone ? { mapping: withoutSplit(mapping), payload } : { version, payload },
    },
    { enabled: mapping !== undefined && (whole?.payload ?? null) !== null, skipFocusRefetch: true },
  );
  const items = preview.data?.items;
  const item = isCut ? items?.find(({ eventId }) => eventId === externalId) : items?.[0];
  return { mapping, item, isRead: items !== undefined, steps: [batch, found, preview] };
}

function Read({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const { mapping, item, isRead, steps } = useReading(event);
  const failed = steps.find(({ isError }) => isError);
  if (event.payload === null) {
    return <p className="soft">{formatMessage({ id: 'event.noPayload' })}</p>;
  }
  if (failed?.error instanceof InletError && failed.error.status === 413) {
    return <Note>{formatMessage({ id: 'event.readingTooLarge' })}</Note>;
  }
  if (failed) return <ErrorNote error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!mapping || !isRead) return <Loading lines={6} />;
  if (!item) return <p className="soft">{formatMessage({ id: 'event.readNothing' })}</p>;
  const targets = traceTargets(mapping, item);
  const found = targets.filter(({ value, problem }) => value !== null || problem);
  const absent = targets.filter((target) => !found.includes(target));
  return (
    <>
      {found.length > 0 && (
        <ul className={styles.reading}>
          {found.map((target) => (
            <Row key={target.name} target={target} />
          ))}
        </ul>
      )}
      {found.length === 0 && absent.length === 0 && (
        <p className="soft">{formatMessage({ id: 'event.readNothing' })}</p>
      )}
      {absent.length > 0 && <Absent targets={absent} />}
    </>
  );
}

/** The payload card has the full text. */
const [maxChars, maxRawChars] = [600, 160];
const clipped = (text: string, limit = maxChars): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

function Row({ target }: { readonly target: TracedTarget }) {
  const intl = useIntl();
  const { name, from, raw, value, transforms, problem } = target;
  const before = raw === null ? null : rawText(raw);
  return (
    <li>
      <span className={styles.readingTarget}>
        <BreakableText>{targetText(intl, name)}</BreakableText>
      </span>
      <div className="stack tight">
        {value !== null && (
          <span className={styles.readingValue}>
            {name === 'eventDate' ? (
              <Timestamp at={value} />
            ) : (
              <BreakableText>{clipped(value)}</BreakableText>
            )}
          </span>
        )}
        {problem && (
          <span className="break">
            <Badge tone="warn">{intl.formatMessage({ id: 'event.problem' })}</Badge>{' '}
            {problemText(intl, problem)}
          </span>
        )}
      </div>
      <div className={clsx('small soft', styles.readingFrom)}>
        <From from={from} />
        {before !== null && before !== value && (
          <>
            <ArrowRight aria-hidden />
            {before.trim() === '' ? (
              <em>{intl.formatMessage({ id: 'event.wasEmpty' })}</em>
            ) : (
              <BreakableText>{clipped(before, maxRawChars)}</BreakableText>
            )}
          </>
        )}
        {transforms.length > 0 && (
          <>
            <ArrowRight aria-hidden />
            <span className="mono">{transforms.join(', ')}</span>
          </>
        )}
      </div>
    </li>
  );
}

const From = ({ from }: Pick<TracedTarget, 'from'>) =>
  from.map((one, at) =>
    typeof one === 'string' ? (
      // oxlint-disable-next-line react/no-array-index-key -- parts have no name but their place
      <code key={at}>
        <BreakableText>{one}</BreakableText>
      </code>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- as above
      <LocationText key={at} location={one} />
    ),
  );

/** The mapping reads these, but the payload does not have them. */
function Absent({ targets }: { readonly targets: readonly TracedTarget[] }) {
  const intl = useIntl();
  return (
    <div className="small soft">
      <span>{intl.formatMessage({ id: 'event.absent' })} </span>
      {targets.map(({ name, from }, at) => (
        <span key={name}>
          {at > 0 && ', '}
          <BreakableText>{targetText(intl, name)}</BreakableText> (<From from={from} />)
        </span>
      ))}
    </div>
  );
}
