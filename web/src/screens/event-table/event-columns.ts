/** The columns of the event list, and those that this browser shows. */

export const columnIds = [
  'contact',
  'message',
  'event',
  'externalId',
  'state',
  'webhook',
  'attempts',
  'version',
  'received',
  'finished',
] as const;
export type ColumnId = (typeof columnIds)[number];

/** Always shown: the link to the event. */
export const fixedColumn: ColumnId = 'event';

export const defaultColumns: readonly ColumnId[] = [
  'contact',
  'message',
  'event',
  'state',
  'webhook',
  'received',
];

/** The other columns are in the panel. */
export const isBesidePanel = (id: ColumnId): boolean =>
  ['contact', 'message', 'event', 'state'].includes(id);

/** Returns the stored columns in their order; the default if nothing valid is stored. */
export function parseColumns(stored: unknown): readonly ColumnId[] {
  if (!Array.isArray(stored)) return defaultColumns;
  return columnIds.filter((id) => id === fixedColumn || stored.includes(id));
}
