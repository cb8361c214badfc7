import type { JsonSchema } from './transform.ts';
import { transforms } from './registry.ts';

export interface TransformExample {
  /** As it stands in a mapping. */
  use: string | Record<string, unknown>;
  /** What the paths of its options read; null where it has none. */
  item: unknown;
  from: unknown;
  to: unknown;
}

export interface TransformDescription {
  name: string;
  description: string;
  /** JSON Schema, 2020-12 */
  options: JsonSchema;
  /** Whether the name alone will do. */
  standsAlone: boolean;
  examples: TransformExample[];
}

/** Every transform that a mapping may name, for people and for the console. */
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
