/** A value as it was sent. Credentials in samples are shown as a mask, which says what it is. */
import { useIntl } from 'react-intl';

const masked = '***';

type ShownProps = { readonly text: string; readonly mostLetters?: number };

export function Shown({ text, mostLetters = Infinity }: ShownProps) {
  const { formatMessage } = useIntl();
  if (text !== masked) return shortened(text, mostLetters);
  return (
    <>
      {text} <span className="soft small">({formatMessage({ id: 'ui.masked' })})</span>
    </>
  );
}

/** The beginning of a long text: what comes from a sender has no bound. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // Not in the middle of a letter that takes two places.
  return `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
