/** A list beside the details of the chosen item. On a phone it is either the list or the details. */
import { clsx } from 'clsx';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { Button } from '../forms/button.tsx';

type Item = { readonly id: string; readonly content: ReactNode };

type Props = {
  readonly label: string;
  readonly items: readonly Item[];
  /** The item whose details are shown; the first one until one is chosen. */
  readonly opened: string | null;
  /** Whether a person chose it. */
  readonly isChosen: boolean;
  readonly onOpen: (id: string) => void;
  /** Below the list, such as the pagination. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
};

export function ListDetail({ label, items, opened, isChosen, onOpen, footer, children }: Props) {
  return (
    <div className={clsx('list-detail', isChosen && 'chosen')}>
      <div className="list-detail-list stack tight">
        <ul aria-label={label}>
          {items.map(({ id, content }) => (
            <li key={id}>
              <AriaButton
                className="list-detail-item"
                aria-current={id === opened ? 'true' : undefined}
                onPress={() => onOpen(id)}
              >
                {content}
              </AriaButton>
            </li>
          ))}
        </ul>
        {footer}
      </div>
      {children}
    </div>
  );
}

/** Back to the list; on a phone only. */
export const BackToList = ({
  label,
  onPress,
}: {
  readonly label: string;
  readonly onPress: () => void;
}) => (
  <span className="list-detail-back">
    <Button isSmall variant="quiet" onPress={onPress}>
      <ArrowLeft aria-hidden />
      {label}
    </Button>
  </span>
);
