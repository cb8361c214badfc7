import type { JsonSchema } from './transform.ts';
import { transforms } from './registry.ts';

interface TransformExample {
  /** As written in a mapping. */
  use: string | Record<string, unknown>;
  /** The item that the paths of the options read; null when there are none. */
  item: unknown;
  from: unknown;
  to: unknown;
}

export interface TransformDescription {
  name: string;
  description: string;
  /** JSON Schema, 2020-12 */
  options: JsonSchema;
  /** Whether the transform may be used by its name alone. */
  standsAlone: boolean;
  examples: TransformExample[];
}

/** Returns every transform, for the documentation and the console. */
export function describeTransforms(): TransformDescription[] {
  return [...transforms.values()].map(({ name, doc, options, examples }) => ({
    name,
    description: doc,
    options,
    standsAlone: options.required === undefined,
    examples: examples.map(({ options: given, item = null, from, to }) => ({
      use: given === undefined ? name : { [name]: given },
      item,
      from,
      to,
    })),
  }));
}
