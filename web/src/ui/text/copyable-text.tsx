/** Text with a copy button, and the copy button alone. */
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { IconButton } from '../forms/button.tsx';
import { copyText } from './clipboard.ts';

type CopyProps = {
  /** A long text can be created on demand. */
  readonly text: string | (() => string);
  readonly label?: string;
};

export function CopyButton({ text, label }: CopyProps) {
  const { formatMessage } = useIntl();
  const [isCopied, setCopied] = useState(false);
  async function copy() {
    if (!(await copyText(typeof text === 'string' ? text : text()))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  }
  const copyLabel = formatMessage({ id: isCopied ? 'ui.copied' : 'ui.copy' });
  return (
    <>
      <IconButton
        isSmall
        label={isCopied || label === undefined ? copyLabel : label}
        onPress={() => void copy()}
      >
        {isCopied ? <Check aria-hidden /> : <Copy aria-hidden />}
      </IconButton>
      <span className="hidden-visually" role="status">
        {isCopied ? copyLabel : ''}
      </span>
    </>
  );
}

/** Copyable text of one or several lines. */
export const CopyableText = ({
  text,
  label,
  isBlock = false,
}: {
  readonly text: string;
  readonly label?: string;
  readonly isBlock?: boolean;
}) => (
  <div className={`copyable ${isBlock ? 'block' : ''}`}>
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
    {isBlock ? <pre tabIndex={0}>{text}</pre> : <code>{text}</code>}
    <CopyButton text={text} label={label} />
  </div>
);
