/** A value as it was sent. Credentials in samples are shown as a mask, which says what it is. */
import { useIntl } from 'react-intl';

const masked = '***';

type ShownProps = { readonly text: string; readonly maxLength?: number };

export function SampleText({ text, maxLength = Infinity }: ShownProps) {
  const { formatMessage } = useIntl();
  if (text !== masked) return truncateText(text, maxLength);
  return (
    <>
      {text} <span className="soft small">({formatMessage({ id: 'ui.masked' })})</span>
    </>
  );
}

/** The beginning of a long text: what comes from a sender has no bound. */
export function truncateText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not in the middle of a letter that takes two places.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
