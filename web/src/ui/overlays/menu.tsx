/** A button with a menu. */
import type { ReactNode } from 'react';
import {
  Autocomplete,
  Input,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components';

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

type MenuProps = {
  readonly label: string;
  readonly items: readonly Item[];
  /** The label of a search field; without it the menu has none. */
  readonly search?: string;
  /** The menu button. */
  readonly children: ReactNode;
};

export function Menu({ label, items, search, children }: MenuProps) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const menu = <Items label={label} items={items} isSearched={search !== undefined} />;
  return (
    <MenuTrigger>
      {children}
      <Popover className={search === undefined ? 'popover' : 'popover searched-menu'}>
        {search === undefined ? (
          menu
        ) : (
          <Autocomplete filter={contains}>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the menu was just opened */}
            <SearchField className="menu-search" aria-label={search} autoFocus>
              <Input className="input" placeholder={search} />
            </SearchField>
            {menu}
          </Autocomplete>
        )}
      </Popover>
    </MenuTrigger>
  );
}

type ItemsProps = Pick<MenuProps, 'label' | 'items'> & { readonly isSearched: boolean };

/** The hint is part of the accessible name, for voice control, and of what a search finds. */
const Items = ({ label, items, isSearched }: ItemsProps) => (
  <AriaMenu
    className="choices"
    aria-label={label}
    items={items}
    renderEmptyState={() => <p className="none-found soft">–</p>}
  >
    {({ id, label: text, hint, isDanger, isDisabled, href, onAction }) => (
      <MenuItem
        id={id}
        href={href}
        onAction={onAction}
        isDisabled={isDisabled}
        textValue={isSearched ? `${text} ${hint ?? ''}` : text}
        className={`choice ${isDanger ? 'danger' : ''}`}
      >
        <span>{text}</span>
        {hint !== undefined && <span className="hint">{hint}</span>}
      </MenuItem>
    )}
  </AriaMenu>
);
