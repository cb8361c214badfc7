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

export type Column<Row> = readonly [title: string, cell: (row: Row) => Cell];

type Cell = string | number | boolean | null | undefined;

const cellText = (value: Cell): string =>
  value === null || value === undefined || value === '' ? '-' : printable(String(value));

/** One line for each row, the columns as wide as their widest cell. */
export function printTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): void {
  const titles = columns.map(([title]) => title);
  const lines = rows.map((row) => columns.map(([, cell]) => cellText(cell(row))));
  const widths = columns.map((_column, index) =>
    Math.max(...[titles, ...lines].map((line) => (line[index] ?? '').length)),
  );
  const joined = (line: readonly string[]): string =>
    line
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd();
  print(styled('bold', joined(titles)));
  for (const line of lines) print(joined(line));
}

/** A record as `name: value` lines; nested values as JSON. */
export function printRecord(record: object): void {
  const width = Math.max(...Object.keys(record).map((name) => name.length)) + 1;
  for (const [name, value] of Object.entries(record)) {
    const text =
      typeof value === 'object' && value !== null ? JSON.stringify(value) : cellText(value as Cell);
    print(`${styled('dim', `${name}:`.padEnd(width))} ${printable(text)}`);
  }
}
