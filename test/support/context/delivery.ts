// The outbound delivery of a worker over a test context, with a short interval.
import { assembleDelivery } from '../../../src/assemble/worker.ts';
import type { OutboundMessage } from '../../../src/store/chats/deliveries.ts';
import { collectionOf } from '../services/collections.ts';
import { waitForValue } from '../processes/client.ts';
import { testConfig, type Overrides, type TestContext } from './test-context.ts';

type DeliveryOverrides = Overrides & {
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

/** The deliveries of a test file: what it starts and the records that it waits for. */
export function watchDeliveries(context: () => TestContext, usual: DeliveryOverrides = {}) {
  const running: { close(): Promise<void> }[] = [];
  const deliveryOf = async (id: string) => (await context().stores.deliveries.get(id))?.delivery;
  return {
    deliveryOf,
    startDispatcher: (over: DeliveryOverrides = {}) => {
      const dispatcher = startTestDelivery(context(), { ...usual, ...over });
      running.push(dispatcher);
      return dispatcher;
    },
    /** Ends the wait of the deliveries and their claims. */
    makeDue: (...ids: string[]) =>
      collectionOf<OutboundMessage>(context().connection, 'messages').updateMany(
        { _id: { $in: ids } },
        { $set: { 'delivery.nextAt': new Date(0) } },
      ),
    closeDispatchers: () => Promise.all(running.splice(0).map((dispatcher) => dispatcher.close())),
    /** Waits until the delivery has these values. */
    became: (id: string, what: object) =>
      waitForValue(`${id} is ${JSON.stringify(what)}`, async () => {
        const delivery = await deliveryOf(id);
        const isSo = Object.entries(what).every(
          ([field, value]) => delivery?.[field as 'state'] === value,
        );
        return isSo ? delivery : undefined;
      }),
  };
}
