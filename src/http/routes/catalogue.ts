/** /v1/admin/producers and /v1/admin/transforms: what exists, for the console and for people. */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { route, type Route } from '../route.ts';
import { anything, exactly, orNull, text } from '../shapes.ts';
import { mappingDocument } from './mappings.ts';

const object = Type.Unsafe<object>({ type: 'object' });

const producer = exactly({
  name: text,
  title: text,
  delivers: text,
  instructions: text,
  signature: orNull(exactly({ preset: text, scheme: object })),
  handshake: Type.Boolean(),
  challenge: orNull(object),
  answer: orNull(object),
  eventId: orNull(object),
  starterMapping: mappingDocument,
});

const transform = exactly({
  name: text,
  description: text,
  options: object,
  standsAlone: Type.Boolean(),
  examples: Type.Array(
    exactly({ use: Type.Union([text, object]), item: anything, from: anything, to: anything }),
  ),
});

export const catalogueRoutes = ({ catalogue }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/producers',
    scope: 'viewer',
    reach: 'anything',
    summary: 'The producers that are known, and what may be set for a webhook',
    answer: exactly({ producers: Type.Array(producer), settings: object }),
    handle: ({ language }) => Promise.resolve(catalogue.producers(language)),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/transforms',
    scope: 'viewer',
    reach: 'anything',
    summary: 'The transforms that a mapping may name, with their options and examples',
    answer: exactly({ transforms: Type.Array(transform) }),
    handle: () => Promise.resolve(catalogue.transforms()),
  }),
];
