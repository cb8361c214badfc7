/** The history of an event in order; attempts with worker and duration. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { reasonText } from '../../ui/reasons/reasons.tsx';
import { RelativeTime, Timestamp } from '../../ui/data/time.tsx';
import styles from './event.module.css';

type Event = Answer<'getEvent'>;
type Step = Event['timeline'][number];
type Attempt = Event['attemptHistory'][number];

const shownFirst = 10;
/** The number of stored steps: the first ones and the last ones. */
const cut = { at: 20, all: 100 };

export function EventHistory({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const [isWhole, setWhole] = useState(false);
  const { timeline, attemptHistory } = event;
  const hidden = isWhole ? 0 : Math.max(0, timeline.length - shownFirst);
  const tries = new Map(attemptHistory.map((attempt, at) => [attempt.startedAt, { attempt, at }]));
  return (
    <Card title={formatMessage({ id: 'event.history' })}>
      {hidden > 0 && (
        <div>
          <Button isSmall variant="quiet" onPress={() => setWhole(true)}>
            {formatMessage({ id: 'event.earlier' }, { count: hidden })}
          </Button>
        </div>
      )}
      <ol className={styles.history}>
        {timeline.slice(hidden).map((step, at) => (
          <li key={`${step.at} ${step.state} ${at}`} data-of={step.state}>
            {timeline.length >= cut.all && hidden + at === cut.at && (
              <p className="small soft">{formatMessage({ id: 'event.gap' })}</p>
            )}
            <Line step={step} {...tries.get(step.at)} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

type LineProps = {
  readonly step: Step;
  readonly attempt?: Attempt;
  /** Counted from 0. */
  readonly at?: number;
};

function Line({ step, attempt, at = 0 }: LineProps) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const isAttempt = step.state === 'processing' && attempt !== undefined;
  return (
    <div className="stack tight">
      <span>
        {isAttempt
          ? formatMessage({ id: 'event.attempt' }, { number: at + 1 })
          : formatMessage({ id: `state.${step.state}` })}
        {step.reason !== null && (
          <span title={step.reason}> · {reasonText(intl, step.reason)}</span>
        )}
      </span>
      {isAttempt && <Try attempt={attempt} />}
      <span className="small soft">
        <Timestamp at={step.at} />
      </span>
    </div>
  );
}

function Try({ attempt }: { readonly attempt: Attempt }) {
  const { formatMessage, formatNumber } = useIntl();
  const { worker, durationMs, outcome, retryAt } = attempt;
  const parts = [
    durationMs !== null && formatMessage({ id: 'event.took' }, { ms: formatNumber(durationMs) }),
    worker !== null && formatMessage({ id: 'event.worker' }, { worker }),
    outcome === 'lost' && formatMessage({ id: 'event.lost' }),
  ].filter((part) => part !== false);
  return (
    <span className="small soft break">
      {parts.join(' · ')}
      {retryAt !== null && outcome === 'waiting' && (
        <>
          {' · '}
          {formatMessage({ id: 'event.retryAt' })} <RelativeTime at={retryAt} />
        </>
      )}
    </span>
  );
}
