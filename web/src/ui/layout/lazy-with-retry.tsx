/**
 * Lazy-loaded components that can be retried.
 *
 * Promises: a failed load is retried when the component is opened again or the user presses retry.
 */
import { lazy, type ComponentType } from 'react';

/** The chunk could not be loaded: the network failed, or the server has another build. */
export class LoadError extends Error {
  /** Makes the next render load it again. */
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
