import { acceptsContentType, decodeBody } from './generic/decode.ts';
import type { Producer } from './producer.ts';

export const producers = {
  generic: { name: 'generic', acceptsContentType, decodeBody },
} satisfies Record<string, Producer>;
