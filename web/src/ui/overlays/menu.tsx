/** A button with a menu. */
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';

export type Item = {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** A link or an action. */
  readonly href?: string;
  readonly onAction?: () => void;
};

/** `children` is the menu button. */
export function Menu({
  label,
  items,
  children,
}: {
  readonly label: string;
  readonly items: readonly Item[];
  readonly children: ReactNode;
}) {
  return (
    <MenuTrigger>
      {children}
      <Popover className="popover">
        <AriaMenu className="choices" aria-label={label} items={items}>
          {({ id, label: text, hint, isDanger, isDisabled, href, onAction }) => (
            <MenuItem
              id={id}
              href={href}
              onAction={onAction}
              isDisabled={isDisabled}
              textValue={text}
              className={`choice ${isDanger ? 'danger' : ''}`}
            >
              {/* The hint is part of the accessible name, for voice control. */}
              <span>{text}</span>
              {hint !== undefined && <span className="hint">{hint}</span>}
            </MenuItem>
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
