/** A skeleton while data loads. */
import { useEffect, useState } from 'react';
import { useIntl } from 'react-intl';

/** Shows bars at once, and the label after two seconds. */
export function Loading({
  label,
  lines = 4,
}: {
  readonly label?: string;
  readonly lines?: number;
}) {
  const { formatMessage } = useIntl();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), 2_000);
    return () => clearTimeout(timer);
  }, []);
  const text = label ?? formatMessage({ id: 'ui.waiting' });
  return (
    <div className="loading" role="status" aria-label={text} aria-busy>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="bar" style={{ width: `${92 - ((at * 17) % 50)}%` }} />
      ))}
      {isLong && <p className="soft">{text}</p>}
    </div>
  );
}
