/**
 * Lazy-loaded components that can be retried.
 *
 * Promises: a failed load is retried when the component is opened again or the user presses retry.
 */
import { lazy, type ComponentType } from 'react';

/** The chunk could not be loaded: the network failed, or the server has another build. */
export class LoadError extends Error {
  /** Makes the next render load it again. */
  readonly retry: () => void;

  constructor(cause: unknown, retry: () => void) {
    super('A part of the console could not be loaded.', { cause });
    this.retry = retry;
  }
}

export function lazyWithRetry<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const createLazy = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (cause) {
        throw new LoadError(cause, () => {
          Part = createLazy() as ComponentType<Props>;
        });
      }
    });
  let Part = createLazy() as ComponentType<Props>;
  return function LazyWithRetry(props: Props) {
    return <Part {...props} />;
  };
}
