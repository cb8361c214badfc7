/** /v1/admin/deliveries */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentDelivery } from '../../admin/deliveries.ts';
import { deliveryStates, type DeliveryState } from '../../domain/delivery.ts';
import { dates, listQuery, paged, pageOf, rangeOf, several, word } from '../query.ts';
import { route, type Route } from '../route.ts';
import { count, exactly, id, idParams, orNull, page, text, time } from '../shapes.ts';

const path = '/v1/admin/deliveries';
const state = Type.Unsafe<DeliveryState>({ type: 'string', enum: [...deliveryStates] });

const delivery = exactly({
  id,
  channelId: id,
  webhookId: id,
  eventId: id,
  contactId: id,
  chatId: id,
  state,
  reason: orNull(text),
  attempts: count,
  nextAt: orNull(time),
  createdAt: time,
  finishedAt: orNull(time),
});

const sortable = { createdAt: 'createdAt', finishedAt: 'delivery.finishedAt' };
const filters = {
  state: several(state),
  channelId: several(id),
  reason: several(word),
  ...dates,
};

export const deliveryRoutes = ({ deliveries }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    summary: 'Search the deliveries of messages to outside channels',
    query: listQuery(Object.keys(sortable), filters),
    answer: page(delivery),
    handle: async ({ query }) => {
      const wanted = pageOf(query, sortable, '-createdAt');
      const found = await deliveries.list({ ...query, ...rangeOf(query) }, wanted);
      return paged(found, wanted, presentDelivery);
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    summary: 'Read how the delivery of a message stands; its id is the message’s',
    params: idParams,
    answer: delivery,
    handle: async ({ params }) => presentDelivery(await deliveries.get(params.id)),
  }),
  route({
    method: 'POST',
    path: `${path}/:id/retry`,
    scope: 'operator',
    summary: 'Send the message of a dead delivery again, with all its attempts',
    params: idParams,
    exists: (params) => deliveries.get(params.id),
    body: exactly({}),
    action: true,
    answer: delivery,
    handle: async ({ params, caller }) =>
      presentDelivery(await deliveries.retry(params.id, caller)),
  }),
];
