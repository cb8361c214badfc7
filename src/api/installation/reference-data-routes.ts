/** /v1/admin/producers and /v1/admin/transforms: reference data for the console. */
import { Type } from 'typebox';
import type { Language } from '../../base/texts/texts.ts';
import { describeTransforms } from '../../mapping/transforms/describe.ts';
import { describeProducers, describeSenderSettings } from '../../producers/describe.ts';
import { route, type Route } from '../../http/routing/route.ts';
import { anyValue, strictObject, nullable, stringMap, text } from '../../http/routing/schemas.ts';
import { mappingDocument } from '../../http/routing/schemas.ts';

const object = Type.Unsafe<object>({ type: 'object' });

const producer = strictObject({
  name: text,
  title: text,
  delivers: text,
  instructions: text,
  signature: nullable(strictObject({ preset: text, scheme: object })),
  handshake: Type.Boolean(),
  challenge: nullable(object),
  answer: nullable(object),
  eventId: nullable(object),
  starterMapping: mappingDocument,
  sample: strictObject({ contentType: text, headers: stringMap, rawBody: text }),
});

const transform = strictObject({
  name: text,
  description: text,
  options: object,
  standsAlone: Type.Boolean(),
  examples: Type.Array(
    strictObject({ use: Type.Union([text, object]), item: anyValue, from: anyValue, to: anyValue }),
  ),
});

const producersIn = (language: Language) =>
  describeProducers().map(({ delivers, instructions, ...described }) => ({
    ...described,
    delivers: delivers[language],
    instructions: instructions[language],
  }));

export const referenceDataRoutes = (): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/producers',
    scope: 'viewer',
    restriction: 'anything',
    operationId: 'getProducers',
    tag: 'Catalogue',
    summary:
      'List the producers, each with a sample of what it sends, and the settings of a webhook',
    answer: strictObject({ producers: Type.Array(producer), settings: object }),
    handle: ({ language }) =>
      Promise.resolve({ producers: producersIn(language), settings: describeSenderSettings() }),
  }),
  route({
    method: 'GET',
    path: '/v1/admin/transforms',
    scope: 'viewer',
    restriction: 'anything',
    operationId: 'getTransforms',
    tag: 'Catalogue',
    summary: 'List the transforms with their options and examples',
    answer: strictObject({ transforms: Type.Array(transform) }),
    handle: () => Promise.resolve({ transforms: describeTransforms() }),
  }),
];
