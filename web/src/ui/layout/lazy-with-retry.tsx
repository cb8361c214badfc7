/**
 * Parts of the console that are read when they are opened first.
 *
 * Promises: what could not be read is asked for again when it is opened once more, or when the person says so.
 */
import { lazy, type ComponentType } from 'react';

/** It has not come: the network was away, or the server has another version of the console by now. */
export class LoadError extends Error {
  /** The next time it is asked for anew. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super('A part of the console could not be loaded.', { cause });
    this.forget = forget;
  }
}

export function lazyWithRetry<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        throw new LoadError(cause, () => {
          Part = begin() as ComponentType<Props>;
        });
      }
    });
  let Part = begin() as ComponentType<Props>;
  return function Late(props: Props) {
    return <Part {...props} />;
  };
}
