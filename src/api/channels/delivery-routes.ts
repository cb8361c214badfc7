/** /v1/admin/deliveries */
import { Type } from 'typebox';
import { orNotFound } from '../../base/errors.ts';
import type { ResourceOwner } from '../../domain/access/token.ts';
import { deliveryStates, reportedStates } from '../../domain/messages/delivery.ts';
import { eventIdOf } from '../../domain/messages/message.ts';
import type { OutboundMessage } from '../../store/chats/deliveries.ts';
import { dateRange, parseDateRange, commaList, filterText } from '../../http/requests/query.ts';
import { listRoute, recordRoutes } from '../../http/routing/resource.ts';
import type { Route } from '../../http/routing/route.ts';
import { viewsOf } from '../../http/routing/view.ts';
import {
  count,
  id,
  idParams,
  nullable,
  text,
  time,
  stringEnum,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';
import { retryDelivery } from './deliveries.ts';

const path = '/v1/admin/deliveries';
const state = stringEnum(deliveryStates);
export const reportedAnswer = Type.Union([stringEnum(reportedStates), Type.Null()], {
  description:
    'What the destination said last, if it is one that reports: `accepted` and `sent` have not reached the person yet.',
});

const { field, view } = viewsOf<OutboundMessage>();
const delivery = view({
  id,
  channelId: id,
  webhookId: field(nullable(id), ({ webhookId }) => webhookId ?? null),
  eventId: field(nullable(id), eventIdOf),
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

export const deliveryRoutes = ({ deliveries }: ApiContext): Route[] => {
  /** A message that no event created belongs to its channel. */
  const owner = async (params: { readonly id: string }): Promise<ResourceOwner> => {
    const { webhookId, channelId } = orNotFound(await deliveries.get(params.id));
    return webhookId === undefined ? { channelId } : { webhookId };
  };
  const one = recordRoutes(delivery, {
    path: `${path}/:id`,
    params: idParams,
    restriction: owner,
    find: (params) => deliveries.get(params.id),
  });
  return [
    listRoute(delivery, {
      path,
      scope: 'viewer',
      restriction: 'narrowed',
      operationId: 'listDeliveries',
      tag: 'Deliveries',
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
    one.read({
      scope: 'viewer',
      operationId: 'getDelivery',
      tag: 'Deliveries',
      schemaName: 'Delivery',
      summary: 'Read the delivery of a message, by the message id',
    }),
    one.act('retry', {
      scope: 'operator',
      operationId: 'retryDelivery',
      tag: 'Deliveries',
      summary: 'Retry a dead delivery with a full set of attempts',
      handle: ({ params, caller }) => retryDelivery(deliveries, params.id, caller),
    }),
  ];
};
