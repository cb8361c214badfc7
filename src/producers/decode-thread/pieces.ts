/**
 * A decoded value as pieces of bytes, which one thread writes and another reads one after the other. A structured clone is read in one
 * stretch of up to 20 ms, and its objects have a prototype.
 *
 * Promises: the value that is read equals the one that was written, in the order of its members, and its objects have no prototype.
 */
import { deserialize, serialize } from 'node:v8';
import { isContainer } from '../decode/bounds.ts';

/** Reading a piece takes one to four milliseconds. */
const tokensOfPiece = 2_000;

/** An empty object or list opens a container, its members follow, and this ends it. No decoder returns a bigint. */
const end = 0n;

/** Each piece has an `ArrayBuffer` of its own, so it can be transferred. */
export function piecesOf(value: unknown): Uint8Array<ArrayBuffer>[] {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let tokens: unknown[] = [];
  function flush(): void {
    pieces.push(new Uint8Array(serialize(tokens)));
    tokens = [];
  }
  function write(token: unknown): void {
    tokens.push(token);
    if (tokens.length === tokensOfPiece) flush();
  }
  // The depth of a decoded value is bounded.
  function writeValue(item: unknown): void {
    if (!isContainer(item)) return write(item);
    if (Array.isArray(item)) {
      write([]);
      item.forEach(writeValue);
    } else {
      write({});
      for (const key of Object.keys(item)) {
        write(key);
        writeValue(item[key]);
      }
    }
    write(end);
  }
  writeValue(value);
  flush();
  return pieces;
}

type Open =
  | { readonly list: unknown[] }
  | { readonly object: Record<string, unknown>; key: string | null };

/** Reads the pieces of a value, in order. */
export function createPieceReader() {
  const open: Open[] = [];
  let root: unknown;

  function put(value: unknown): void {
    const parent = open.at(-1);
    if (!parent) root = value;
    else if ('list' in parent) parent.list.push(value);
    else {
      parent.object[parent.key ?? ''] = value;
      parent.key = null;
    }
  }

  function read(token: unknown): void {
    const parent = open.at(-1);
    if (token === end) open.pop();
    else if (parent && 'object' in parent && parent.key === null) parent.key = token as string;
    else if (Array.isArray(token)) {
      put(token);
      open.push({ list: token });
    } else if (isContainer(token)) {
      const object: Record<string, unknown> = Object.create(null);
      put(object);
      open.push({ object, key: null });
    } else put(token);
  }

  return {
    add: (piece: Uint8Array): void => (deserialize(piece) as unknown[]).forEach(read),
    /** The value, once all pieces were added. */
    value: (): unknown => root,
  };
}
