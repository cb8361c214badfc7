/** Compares the results of a mapping and of the active version for the last events. */
import { clsx } from 'clsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl, type IntlShape } from 'react-intl';
import { client, type Answer } from '../../api/client.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Tone } from '../../ui/tone.ts';
import { reasonText, targetText } from '../../ui/reasons/reasons.tsx';
import type { MappingDocument } from './mapping-version.ts';
import styles from './version-comparison.module.css';

type Diff = Answer<'diffWebhookMappings'>;
type Item = Diff['items'][number];

const lasts = [50, 200, 1_000];
/** The number of rows at first, and the number added by "show more". */
const initialLength = 3;
const piece = 20;

type EffectProps = {
  readonly webhookId: string;
  readonly version: number;
  readonly mapping: MappingDocument;
};

export function EventDiff({ webhookId, version, mapping }: EffectProps) {
  const { formatMessage, formatNumber } = useIntl();
  const language = useLanguage();
  const [last, setLast] = useState(200);
  const diff = useQuery({
    queryKey: ['diffWebhookMappings', webhookId, version, last, language],
    queryFn: ({ signal }) =>
      client.call('diffWebhookMappings', {
        params: { id: webhookId },
        body: { mapping, last },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  return (
    <div className="stack tight">
      <div className="row spread">
        <h3>{formatMessage({ id: 'versions.effect' })}</h3>
        <Select
          label={formatMessage({ id: 'versions.effectLast' })}
          isLabelHidden
          value={String(last)}
          onChange={(choice) => setLast(Number(choice))}
          choices={lasts.map((count) => ({
            id: String(count),
            label: formatMessage({ id: 'versions.lastEvents' }, { count: formatNumber(count) }),
          }))}
        />
      </div>
      {diff.isPending && <Loading label={formatMessage({ id: 'versions.effectWaiting' })} />}
      {diff.isError && <ErrorNote error={diff.error} onRetry={() => void diff.refetch()} />}
      {diff.data && <Outcome diff={diff.data} />}
    </div>
  );
}

function Outcome({ diff: { counts, items } }: { readonly diff: Diff }) {
  const { formatMessage } = useIntl();
  const [limit, setMost] = useState(initialLength);
  const { same, changed, newlyFailing, newlyPassing } = counts;
  const all = same + changed + newlyFailing + newlyPassing;
  const other = all - same;
  // Newly failing events first.
  const shown = items
    .filter(({ kind }) => kind !== 'same')
    .toSorted((one, two) => order.indexOf(one.kind) - order.indexOf(two.kind));
  if (all === 0) return <Note>{formatMessage({ id: 'versions.effectNoEvents' })}</Note>;
  return (
    <>
      <div role="status">
        <Note tone={newlyFailing > 0 ? 'bad' : other > 0 ? 'info' : 'good'}>
          <p>{formatMessage({ id: 'versions.wouldChange' }, { other, all })}</p>
          {newlyFailing > 0 && (
            <p>{formatMessage({ id: 'versions.wouldFail' }, { count: newlyFailing })}</p>
          )}
          {newlyPassing > 0 && (
            <p>{formatMessage({ id: 'versions.wouldPass' }, { count: newlyPassing })}</p>
          )}
        </Note>
      </div>
      <Frequencies items={shown} />
      <ul className={styles.versionsEffects}>
        {shown.slice(0, limit).map((item) => (
          <ChangedEvent key={`${item.eventId} ${item.item}`} item={item} />
        ))}
      </ul>
      {shown.length > limit && (
        <div>
          <Button isSmall onPress={() => setMost(limit + piece)}>
            {formatMessage({ id: 'versions.showMore' }, { count: shown.length - limit })}
          </Button>
        </div>
      )}
    </>
  );
}

/** The changed targets, with the number of events. */
function Frequencies({ items }: { readonly items: readonly Item[] }) {
  const intl = useIntl();
  const counts = new Map<string, number>();
  for (const { target } of items.flatMap(({ changes }) => changes)) {
    counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  if (counts.size === 0) return null;
  return (
    <ul className={clsx('row', styles.versionsFrequencies)}>
      {[...counts].map(([target, count]) => (
        <li key={target}>
          <Badge>
            {changedText(intl, target)} <strong className="numbers">{count}</strong>
          </Badge>
        </li>
      ))}
    </ul>
  );
}

/** The diff has one entry for all labels, and one for the filter. */
function changedText(intl: IntlShape, target: string): string {
  if (target === 'ignored') return intl.formatMessage({ id: 'versions.ignored' });
  if (target === 'context.labels') return intl.formatMessage({ id: 'versions.labels' });
  return targetText(intl, target);
}

const order: readonly Item['kind'][] = ['newlyFailing', 'changed', 'newlyPassing', 'same'];
const tones: Readonly<Record<Item['kind'], Tone>> = {
  newlyFailing: 'bad',
  newlyPassing: 'good',
  changed: 'info',
  same: 'plain',
};

function ChangedEvent({ item }: { readonly item: Item }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { eventId, externalId, kind, changes, failure } = item;
  const failed = failure.after ?? failure.before;
  const name = externalId ?? `…${eventId.slice(-6)}`;
  return (
    <li className="stack tight">
      <div className="row">
        <Link href={`/events/${eventId}`} className="break">
          {item.item === null
            ? formatMessage({ id: 'versions.event' }, { name })
            : formatMessage({ id: 'versions.eventItem' }, { name, item: item.item + 1 })}
        </Link>
        <Badge tone={tones[kind]}>{formatMessage({ id: `versions.kind.${kind}` })}</Badge>
        {failed !== null && <span className="small soft">{reasonText(intl, failed)}</span>}
      </div>
      <dl className={styles.versionsChanges}>
        {changes.map(({ target, before, after }) => (
          <div key={target}>
            <dt>{changedText(intl, target)}</dt>
            <dd>
              <Value text={before} label={formatMessage({ id: 'versions.before' })} />
              <ArrowRight aria-hidden size={14} />
              <Value text={after} label={formatMessage({ id: 'versions.after' })} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Long values are truncated; the event shows them completely. */
const clipAt = 240;

function Value({ text, label }: { readonly text: string | null; readonly label: string }) {
  const { formatMessage } = useIntl();
  return (
    <span className="break">
      <span className="hidden-visually">{label}: </span>
      {text === null ? (
        <span className="soft">{formatMessage({ id: 'versions.nothing' })}</span>
      ) : (
        <bdi>{text.length > clipAt ? `${text.slice(0, clipAt)}…` : text}</bdi>
      )}
    </span>
  );
}
