/** What the step waits for, and whether the connection works. */
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';

type Props = {
  readonly title: string;
  /** The server does not answer; the connection is retried. */
  readonly isLost: boolean;
  readonly children: ReactNode;
};

export function WaitingStatus({ title, isLost, children }: Props) {
  const { formatMessage } = useIntl();
  return (
    <div className={`listening ${isLost ? 'lost' : ''}`} role="status">
      <span className="pulse" aria-hidden />
      <div>
        <strong>{isLost ? formatMessage({ id: 'setup.lost' }) : title}</strong>
        <p className="soft small">{isLost ? formatMessage({ id: 'setup.lostHint' }) : children}</p>
      </div>
    </div>
  );
}
