// The outbound delivery of a worker over a test context, with a short interval.
import { assembleDelivery } from '../../../src/assemble/worker.ts';
import { testConfig, type Overrides, type TestContext } from './test-context.ts';

export type DeliveryOverrides = Overrides & {
  readonly intervalMs?: number;
  readonly channelStateMs?: number;
  readonly random?: () => number;
};

export const startTestDelivery = (
  { newResources }: Pick<TestContext, 'newResources'>,
  { intervalMs = 20, channelStateMs = 5_000, random = () => 1, ...over }: DeliveryOverrides = {},
) =>
  assembleDelivery(testConfig, newResources(over), {
    intervalMs,
    channelStateMs,
    random,
  });
