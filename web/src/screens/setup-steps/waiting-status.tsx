/** What the step waits for, and whether the connection works. */
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import styles from './setup-steps.module.css';

type Props = {
  readonly title: string;
  /** The server does not answer; the connection is retried. */
  readonly isLost: boolean;
  readonly children: ReactNode;
};

export function WaitingStatus({ title, isLost, children }: Props) {
  const { formatMessage } = useIntl();
  return (
    <div className={clsx(styles.listening, isLost && styles.lost)} role="status">
      <span className={styles.pulse} aria-hidden />
      <div>
        <strong>{isLost ? formatMessage({ id: 'setup.lost' }) : title}</strong>
        <p className="soft small">{isLost ? formatMessage({ id: 'setup.lostHint' }) : children}</p>
      </div>
    </div>
  );
}
