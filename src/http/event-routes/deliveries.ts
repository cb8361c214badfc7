/** /v1/admin/deliveries */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { presentDelivery } from '../../admin/events/deliveries.ts';
import { deliveryStates, type DeliveryState } from '../../domain/messages/delivery.ts';
import type { ResourceOwner } from '../../domain/access/token.ts';
import {
  dateRange,
  listQuery,
  presentPage,
  parsePaging,
  parseDateRange,
  commaList,
  filterText,
} from '../requests/query.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import {
  count,
  strictObject,
  id,
  idParams,
  nullable,
  pageSchema,
  text,
  time,
} from '../routing/schemas.ts';

const path = '/v1/admin/deliveries';
const state = Type.Unsafe<DeliveryState>({ type: 'string', enum: [...deliveryStates] });

const delivery = strictObject({
  id,
  channelId: id,
  webhookId: id,
  eventId: id,
  contactId: id,
  chatId: id,
  state,
  reason: nullable(text),
  attempts: count,
  nextAt: nullable(time),
  createdAt: time,
  finishedAt: nullable(time),
});

const sortable = { createdAt: 'createdAt', finishedAt: 'delivery.finishedAt' };
const filters = {
  state: commaList(state),
  channelId: commaList(id),
  reason: commaList(filterText),
  ...dateRange,
};

const one = resource({ answer: delivery, present: presentDelivery });

const ofDelivery =
  (deliveries: Admin['deliveries']) =>
  async (params: { id: string }): Promise<ResourceOwner> => {
    const { webhookId } = await deliveries.get(params.id);
    return { webhookId };
  };

export const deliveryRoutes = ({ deliveries }: Admin): Route[] => [
  route({
    method: 'GET',
    path,
    scope: 'viewer',
    reach: 'narrowed',
    summary: 'Search the deliveries of messages to outside channels',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(delivery),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const within = { webhookId: caller.restriction?.webhookIds };
      const found = await deliveries.list(
        { ...query, ...within, ...parseDateRange(query) },
        wanted,
      );
      return presentPage(found, wanted, presentDelivery);
    },
  }),
  resourceRoute(one, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    reach: ofDelivery(deliveries),
    summary: 'Read how the delivery of a message stands; its id is the message’s',
    params: idParams,
    handle: ({ params }) => deliveries.get(params.id),
  }),
  resourceRoute(one, {
    method: 'POST',
    path: `${path}/:id/retry`,
    scope: 'operator',
    reach: ofDelivery(deliveries),
    summary: 'Send the message of a dead delivery again, with all its attempts',
    params: idParams,
    exists: (params) => deliveries.get(params.id),
    body: strictObject({}),
    action: true,
    handle: ({ params, caller }) => deliveries.retry(params.id, caller),
  }),
];
