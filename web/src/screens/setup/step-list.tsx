/** The list of setup steps: done, open and pending. */
import { clsx } from 'clsx';
import { Check } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { stepIds, type StepId } from './setup-progress.ts';
import styles from './setup.module.css';

export type StepPart = {
  readonly id: StepId;
  /** `next`: the pending step, while an earlier one is reviewed. */
  readonly state: 'done' | 'open' | 'next' | 'later';
  readonly isDone?: boolean;
  readonly content?: ReactNode;
  readonly summary?: ReactNode;
  readonly onOpen?: () => void;
};

type StepsProps = {
  readonly open: readonly StepId[];
  readonly parts: readonly StepPart[];
  /** The first step was done on the page before; the focus goes to the open step. */
  readonly isBegun?: boolean;
  /** Set while a step is reviewed: returns to the pending step. */
  readonly onContinue?: (() => void) | undefined;
};

export function StepList({ open, parts, isBegun = false, onContinue }: StepsProps) {
  const { formatMessage } = useIntl();
  const list = useRef<HTMLOListElement>(null);
  const first = open[0];
  const before = useRef(isBegun ? undefined : first);
  useEffect(() => {
    if (before.current === first) return;
    before.current = first;
    const heading = list.current?.querySelector<HTMLElement>(`[data-step="${first}"] h2`);
    heading?.scrollIntoView({ block: 'nearest' });
    // The focused element was removed with its step, so the focus moves to the heading.
    const held = document.activeElement;
    if (held === document.body || held?.matches('[data-step] h2')) {
      heading?.focus({ preventScroll: true });
    }
  }, [first]);
  const at = first === undefined ? 0 : stepIds.indexOf(first) + 1;
  return (
    <>
      <p className="hidden-visually" role="status">
        {first !== undefined &&
          formatMessage(
            { id: 'setup.at' },
            { at, all: stepIds.length, title: formatMessage({ id: `setup.step.${first}` }) },
          )}
      </p>
      <ol className={styles.steps} ref={list}>
        {parts.map((part) => (
          <Step key={part.id} part={part} onContinue={onContinue} />
        ))}
      </ol>
    </>
  );
}

function Step({
  part: { id, state, isDone = state === 'done', content, summary, onOpen },
  onContinue,
}: {
  readonly part: StepPart;
  readonly onContinue: (() => void) | undefined;
}) {
  const { formatMessage } = useIntl();
  const title = formatMessage({ id: `setup.step.${id}` });
  const isOpen = state === 'open';
  const opening = formatMessage({ id: state === 'done' ? 'setup.lookAgain' : 'setup.goOn' });
  return (
    <li
      className={clsx(styles.step, styles[state])}
      data-step={id}
      aria-current={isOpen ? 'step' : undefined}
    >
      <span className={styles.stepMark} aria-hidden>
        {isDone ? <Check size={16} strokeWidth={3} /> : stepIds.indexOf(id) + 1}
      </span>
      <div className={clsx('stack', styles.stepBody)}>
        <div className="row spread">
          <div className="stack tight">
            <h2 tabIndex={-1}>
              {title}
              {isDone && (
                <span className="hidden-visually"> ({formatMessage({ id: 'setup.done' })})</span>
              )}
            </h2>
            {!isOpen && summary}
          </div>
          {onOpen && (
            <Button
              isSmall
              variant={state === 'next' ? 'primary' : 'quiet'}
              onPress={onOpen}
              aria-label={`${opening}: ${title}`}
            >
              {opening}
            </Button>
          )}
        </div>
        {isOpen && <div className={clsx('card stack', styles.stepContent)}>{content}</div>}
        {isOpen && onContinue && (
          <div>
            <Button onPress={onContinue}>{formatMessage({ id: 'setup.backToNext' })}</Button>
          </div>
        )}
      </div>
    </li>
  );
}
