/** A value that this browser keeps, such as the columns of a list. */
import { useState } from 'react';

/** `parse` returns the value for stored JSON, also for that of an older version. Null: nothing is stored. */
export function useStoredValue<Value>(
  key: string,
  parse: (stored: unknown) => Value,
): [value: Value, store: (value: Value) => void] {
  const [value, setValue] = useState(() => parse(read(key)));
  return [
    value,
    (next) => {
      setValue(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Storage is full or forbidden: the value lasts until the page is closed.
      }
    },
  ];
}

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}
