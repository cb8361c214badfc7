/** One typical event of each producer, of people who do not exist. A sample always has the same event id. */
import type { producers } from '../registry.ts';
import { brazilSamples } from './brazil.ts';
import { mailSamples } from './mails.ts';
import { messageSamples, shopSamples } from './messages.ts';
import { peopleSamples } from './people.ts';
import type { SampleRequest } from './sample.ts';

export const samples = {
  ...peopleSamples,
  ...brazilSamples,
  ...mailSamples,
  ...messageSamples,
  ...shopSamples,
} satisfies Record<keyof typeof producers, SampleRequest>;
