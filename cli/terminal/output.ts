/** What commands print: results to stdout, everything else to stderr. Colours only where a person reads. */
import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow';

const hasColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

/** Control characters in texts of senders could drive the terminal. */
const control = /(?![\t\n])\p{Cc}/gu;
export const printable = (text: string): string => text.replaceAll(control, '\ufffd');

export const styled = (style: Style, text: string): string =>
  hasColour(process.stdout) ? styleText(style, text) : text;

export const print = (text: string): void => void process.stdout.write(`${text}\n`);
export const note = (text: string): void => void process.stderr.write(`${printable(text)}\n`);
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));
export const printLine = (value: unknown): void => print(JSON.stringify(value));

/** A field, or a title and how its cell is made. */
export type Column<Row> =
  | (keyof Row & string)
  | readonly [title: string, cell: (row: Row) => unknown];

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const isList = Array.isArray(value) && value.length > 0;
  if (isList && value.every((one) => typeof one === 'string')) return printable(value.join(', '));
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

/** One line for each row, the columns as wide as their widest cell. */
export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const all = columns.map((column) => {
    const isField = typeof column === 'string';
    const title = isField ? column.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase() : column[0];
    const cells = rows.map((row) => cellText(isField ? row[column] : column[1](row)));
    const width = Math.max(...[title, ...cells].map((cell) => cell.length));
    return [title, ...cells].map((cell) => cell.padEnd(width));
  });
  for (const [index] of ['', ...rows].entries()) {
    const line = all
      .map((cells) => cells[index])
      .join('  ')
      .trimEnd();
    print(index === 0 ? styled('bold', line) : line);
  }
}

/** A record as `name: value` lines; nested values as JSON. */
export function printRecord(record: object): void {
  const width = Math.max(...Object.keys(record).map((name) => name.length)) + 1;
  for (const [name, value] of Object.entries(record)) {
    print(`${styled('dim', `${name}:`.padEnd(width))} ${cellText(value)}`);
  }
}
