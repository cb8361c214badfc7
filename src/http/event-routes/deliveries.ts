/** /v1/admin/deliveries */
import type { Admin } from '../../admin/admin.ts';
import { deliveryStates } from '../../domain/messages/delivery.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../requests/query.ts';
import { webhookOf } from '../auth/authorization.ts';
import { listRoute } from '../routing/list.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import type { Route } from '../routing/route.ts';
import { viewsOf } from '../routing/view.ts';
import {
  count,
  emptyBody,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../routing/schemas.ts';

const path = '/v1/admin/deliveries';
const state = stringEnum(deliveryStates);

type OutboundMessage = Awaited<ReturnType<Admin['deliveries']['get']>>;
const { field, view } = viewsOf<OutboundMessage>();
const delivery = view({
  id,
  channelId: id,
  webhookId: id,
  eventId: id,
  contactId: id,
  chatId: id,
  state: field(state, (message) => message.delivery.state),
  reason: field(nullable(text), (message) => message.delivery.reason),
  attempts: field(count, (message) => message.delivery.attempts),
  nextAt: field(nullable(time), (message) => message.delivery.nextAt ?? null),
  createdAt: time,
  finishedAt: field(nullable(time), (message) => message.delivery.finishedAt ?? null),
});

const deliveryResource = resource(delivery);

export const deliveryRoutes = ({ deliveries }: Admin): Route[] => [
  listRoute(delivery, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    summary: 'Search deliveries of messages to external channels',
    sortable: { createdAt: 'createdAt', finishedAt: 'delivery.finishedAt' },
    sortBy: '-createdAt',
    filters: {
      state: commaList(state),
      channelId: commaList(id),
      reason: commaList(filterText),
      ...dateRange,
    },
    list: ({ query, caller }, page) => {
      const within = { webhookId: caller.restriction?.webhookIds };
      return deliveries.list({ ...query, ...within, ...parseDateRange(query) }, page);
    },
  }),
  resourceRoute(deliveryResource, {
    method: 'GET',
    path: `${path}/:id`,
    scope: 'viewer',
    restriction: webhookOf(deliveries.get),
    summary: 'Read the delivery of a message, by the message id',
    params: idParams,
    handle: ({ params }) => deliveries.get(params.id),
  }),
  resourceRoute(deliveryResource, {
    method: 'POST',
    path: `${path}/:id/retry`,
    scope: 'operator',
    restriction: webhookOf(deliveries.get),
    summary: 'Retry a dead delivery with a full set of attempts',
    params: idParams,
    find: (params) => deliveries.get(params.id),
    ...emptyBody,
    handle: ({ params, caller }) => deliveries.retry(params.id, caller),
  }),
];
