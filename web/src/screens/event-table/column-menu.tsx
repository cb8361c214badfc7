/** Chooses the columns of the event list. */
import { Check, Columns3 } from 'lucide-react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { useStoredValue } from '../../ui/forms/use-stored-value.ts';
import { columnIds, fixedColumn, parseColumns, type ColumnId } from './event-columns.ts';
import styles from './event-table.module.css';

export const useEventColumns = () => useStoredValue('inlet.events.columns', parseColumns);

type Props = {
  readonly columns: readonly ColumnId[];
  readonly onChange: (columns: readonly ColumnId[]) => void;
};

export function ColumnMenu({ columns, onChange }: Props) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'events.columns' });
  return (
    <MenuTrigger>
      <Button isSmall>
        <Columns3 aria-hidden />
        {label}
      </Button>
      <Popover className="popover">
        <Menu
          className="choices"
          aria-label={label}
          selectionMode="multiple"
          disabledKeys={[fixedColumn]}
          selectedKeys={columns}
          onSelectionChange={(keys) =>
            onChange(columnIds.filter((id) => keys === 'all' || keys.has(id)))
          }
        >
          {columnIds.map((id) => (
            <MenuItem key={id} id={id} className={`choice ${styles.columnChoice}`}>
              {({ isSelected }) => (
                <>
                  <Check aria-hidden visibility={isSelected ? 'visible' : 'hidden'} />
                  {formatMessage({ id: `events.column.${id}` })}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
