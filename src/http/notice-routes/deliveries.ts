/** /v1/admin/notices/deliveries, and the dead ones of a target */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { maxRetried } from '../../admin/notices/deliveries.ts';
import { deliveryStates } from '../../domain/messages/delivery.ts';
import type { NoticeDelivery } from '../../domain/notices/notice.ts';
import { commaList } from '../requests/query.ts';
import { listRoute } from '../routing/list.ts';
import { resource, resourceRoute } from '../routing/resource.ts';
import { route, type Route } from '../routing/route.ts';
import {
  count,
  emptyBody,
  id,
  idParams,
  nullable,
  strictObject,
  stringEnum,
  text,
  time,
} from '../routing/schemas.ts';
import { viewsOf } from '../routing/view.ts';

const path = '/v1/admin/notices/deliveries';

const of = viewsOf<NoticeDelivery>();
const deliveryView = of.view({
  id,
  targetId: of.field(id, ({ channelId }) => channelId),
  createdAt: time,
  notices: of.field(count, ({ entries, more }) => entries.length + more),
  reminder: of.field(Type.Boolean(), ({ isReminder }) => isReminder),
  state: of.field(stringEnum(deliveryStates), ({ delivery }) => delivery.state),
  attempts: of.field(count, ({ delivery }) => delivery.attempts),
  reason: of.field(nullable(text), ({ delivery }) => delivery.reason),
  nextAt: of.field(nullable(time), ({ delivery }) => delivery.nextAt),
  finishedAt: of.field(nullable(time), ({ delivery }) => delivery.finishedAt),
});

const deliveryResource = resource(deliveryView);

export const noticeDeliveryRoutes = ({ notices: { deliveries, targets } }: Admin): Route[] => [
  listRoute(deliveryView, {
    path,
    scope: 'viewer',
    summary: 'List deliveries of notices',
    sortable: { createdAt: 'createdAt' },
    sortBy: '-createdAt',
    filters: { state: commaList(stringEnum(deliveryStates)), targetId: commaList(id) },
    list: ({ query }, page) => deliveries.list(query, page),
  }),
  resourceRoute(deliveryResource, {
    method: 'POST',
    path: `${path}/:id/retry`,
    scope: 'operator',
    summary: 'Retry a dead delivery of notices with a full set of attempts',
    params: idParams,
    find: (params) => deliveries.get(params.id),
    ...emptyBody,
    handle: ({ params, caller }) => deliveries.retry(params.id, caller),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/notices/targets/:id/retry',
    scope: 'operator',
    summary: `Retry the dead deliveries of a target, the ${maxRetried} oldest at most`,
    params: idParams,
    find: (params) => targets.get(params.id),
    hasEtag: false,
    ...emptyBody,
    answer: strictObject({ retried: count, more: Type.Boolean() }),
    handle: ({ params, caller }) => deliveries.retryAll(params.id, caller),
  }),
];
