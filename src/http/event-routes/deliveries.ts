/** /v1/admin/deliveries */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
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
import { createView, fieldOf, isoDate } from '../routing/view.ts';
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

type OutboundMessage = Awaited<ReturnType<Admin['deliveries']['get']>>;
const field = fieldOf<OutboundMessage>();
const delivery = createView({
  id: field(id, ({ _id }) => _id),
  channelId: field(id, ({ channelId }) => channelId),
  webhookId: field(id, ({ webhookId }) => webhookId),
  eventId: field(id, ({ eventId }) => eventId),
  contactId: field(id, ({ contactId }) => contactId),
  chatId: field(id, ({ chatId }) => chatId),
  state: field(state, (message) => message.delivery.state),
  reason: field(nullable(text), (message) => message.delivery.reason),
  attempts: field(count, (message) => message.delivery.attempts),
  nextAt: field(nullable(time), (message) => isoDate(message.delivery.nextAt)),
  createdAt: field(time, ({ createdAt }) => createdAt.toISOString()),
  finishedAt: field(nullable(time), (message) => isoDate(message.delivery.finishedAt)),
});

const sortable = { createdAt: 'createdAt', finishedAt: 'delivery.finishedAt' };
const filters = {
  state: commaList(state),
  channelId: commaList(id),
  reason: commaList(filterText),
  ...dateRange,
};

const deliveryResource = resource(delivery);

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
    restriction: 'narrowed',
    summary: 'Search deliveries of messages to external channels',
    query: listQuery(Object.keys(sortable), filters),
    answer: pageSchema(delivery.answer),
    handle: async ({ query, caller }) => {
      const wanted = parsePaging(query, sortable, '-createdAt');
      const within = { webhookId: caller.restriction?.webhookIds };
      const found = await deliveries.list(
        { ...query, ...within, ...parseDateRange(query) },
        wanted,
      );
      return presentPage(found, wanted, delivery.present);
    },
  }),
  resourceRoute(deliveryResource, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: ofDelivery(deliveries),
    summary: 'Read the delivery of a message, by the message id',
    params: idParams,
    handle: ({ params }) => deliveries.get(params.id),
  }),
  resourceRoute(deliveryResource, {
    method: 'POST',
    path: `${path}/:id/retry`,
    scope: 'operator',
    restriction: ofDelivery(deliveries),
    summary: 'Retry a dead delivery with a full set of attempts',
    params: idParams,
    find: (params) => deliveries.get(params.id),
    body: strictObject({}),
    allowsEmptyBody: true,
    handle: ({ params, caller }) => deliveries.retry(params.id, caller),
  }),
];
