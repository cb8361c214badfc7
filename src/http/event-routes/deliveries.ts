/** /v1/admin/deliveries */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { ResourceOwner } from '../../domain/access/token.ts';
import { deliveryStates, reportedStates } from '../../domain/messages/delivery.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../requests/query.ts';
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
export const reportedAnswer = Type.Union([stringEnum(reportedStates), Type.Null()], {
  description:
    'What the destination said last, if it is one that reports: `accepted` and `sent` have not reached the person yet.',
});

type OutboundMessage = Awaited<ReturnType<Admin['deliveries']['get']>>;
const { field, view } = viewsOf<OutboundMessage>();
const delivery = view({
  id,
  channelId: id,
  webhookId: nullable(id),
  eventId: nullable(id),
  contactId: id,
  chatId: id,
  state: field(state, (message) => message.delivery.state),
  reported: field(reportedAnswer, (message) => message.delivery.reported ?? null),
  reason: field(nullable(text), (message) => message.delivery.reason),
  attempts: field(count, (message) => message.delivery.attempts),
  nextAt: field(nullable(time), (message) => message.delivery.nextAt ?? null),
  createdAt: time,
  finishedAt: field(nullable(time), (message) => message.delivery.finishedAt ?? null),
});

const deliveryResource = resource(delivery);

export const deliveryRoutes = ({ deliveries }: Admin): Route[] => {
  /** A message that no event created belongs to its channel. */
  const owner = async (params: { readonly id: string }): Promise<ResourceOwner> => {
    const { webhookId, channelId } = await deliveries.get(params.id);
    return webhookId === null ? { channelId } : { webhookId };
  };
  return [
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
        const within = caller.restriction && { owners: caller.restriction };
        return deliveries.list({ ...query, ...within, ...parseDateRange(query) }, page);
      },
    }),
    resourceRoute(deliveryResource, {
      method: 'GET',
      path: `${path}/:id`,
      scope: 'viewer',
      restriction: owner,
      summary: 'Read the delivery of a message, by the message id',
      params: idParams,
      handle: ({ params }) => deliveries.get(params.id),
    }),
    resourceRoute(deliveryResource, {
      method: 'POST',
      path: `${path}/:id/retry`,
      scope: 'operator',
      restriction: owner,
      summary: 'Retry a dead delivery with a full set of attempts',
      params: idParams,
      find: (params) => deliveries.get(params.id),
      ...emptyBody,
      handle: ({ params, caller }) => deliveries.retry(params.id, caller),
    }),
  ];
};
