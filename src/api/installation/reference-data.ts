/** Reference data for mappings and webhooks: producers, settings and transforms, in the caller's language. */
import type { Language } from '../../base/errors.ts';
import { describeTransforms } from '../../mapping/transforms/describe.ts';
import { describeProducers, describeSenderSettings } from '../../producers/describe.ts';

export const referenceData = {
  producers: (language: Language) => ({
    producers: describeProducers().map(({ delivers, instructions, ...producer }) => ({
      ...producer,
      delivers: delivers[language],
      instructions: instructions[language],
    })),
    settings: describeSenderSettings(),
  }),
  transforms: () => ({ transforms: describeTransforms() }),
};
