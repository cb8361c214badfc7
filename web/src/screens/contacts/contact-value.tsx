/** A value as text, truncated until expanded. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './contacts.module.css';

const shownAtFirst = 240;

export function ContactValue({ children }: { readonly children: string }) {
  const { formatMessage } = useIntl();
  const [isWhole, setWhole] = useState(false);
  if (children.length <= shownAtFirst) {
    return (
      <span className={styles.value}>
        <BreakableText>{children}</BreakableText>
      </span>
    );
  }
  return (
    <span className="stack tight">
      <span className={clsx(styles.value, isWhole && styles.whole)}>
        {isWhole ? children : `${children.slice(0, shownAtFirst)}…`}
      </span>
      <span>
        <Button isSmall variant="quiet" onPress={() => setWhole(!isWhole)}>
          {formatMessage(
            { id: isWhole ? 'contacts.showLess' : 'contacts.showAll' },
            { count: children.length },
          )}
        </Button>
      </span>
    </span>
  );
}
