/** A text from a payload. Masked credentials are labelled as such. */
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

/** Truncates a text. */
function truncateText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Does not split a surrogate pair.
  return `${text.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
