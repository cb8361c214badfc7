/** /v1/admin/webhooks/:id/register: tells the service of the channel where to post. */
import type { Admin } from '../../admin/admin.ts';
import { route, type Route } from '../routing/route.ts';
import {
  emptyBody,
  idParams,
  nullable,
  strictObject,
  stringEnum,
  text,
} from '../routing/schemas.ts';
import { checkWebhookSettings } from './settings.ts';

export const registrationRoutes = ({ register, webhooks }: Admin): Route[] => [
  route({
    method: 'POST',
    path: '/v1/admin/webhooks/:id/register',
    scope: 'operator',
    // The service posts for the whole channel.
    restriction: async ({ id }) => {
      const { channelId } = await webhooks.get(id);
      return [{ webhookId: id }, { channelId }];
    },
    summary:
      'Register the URL of a webhook, with a new path key and a secret, at the service of its channel',
    params: idParams,
    find: (params) => webhooks.get(params.id),
    ...emptyBody,
    answer: strictObject({
      outcome: stringEnum(['registered', 'failed']),
      reason: nullable(text),
      said: nullable(text),
    }),
    handle: ({ params, caller, baseUrl }) =>
      register(params.id, { baseUrl, actor: caller, check: checkWebhookSettings }),
  }),
];
