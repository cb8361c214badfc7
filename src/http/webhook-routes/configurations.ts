/** /v1/admin/webhooks/configurations */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import type { WebhookConfiguration } from '../../admin/webhooks/configurations.ts';
import { noticeRules } from '../../domain/notices/rules.ts';
import { listRoute } from '../routing/list.ts';
import type { Route } from '../routing/route.ts';
import { nullable } from '../routing/schemas.ts';
import { viewsOf } from '../routing/view.ts';
import { version } from './mappings.ts';
import { settingsView } from './settings.ts';
import { webhook } from './webhook-view.ts';
import { filterOf, listOptions } from './webhooks.ts';

const { field, view } = viewsOf<WebhookConfiguration>();
const configuration = view({
  webhook: field(webhook.answer, (record, language) => webhook.present(record.webhook, language)),
  settings: field(settingsView.answer, (record) => settingsView.present(record.webhook, 'en')),
  noticeRules: field(noticeRules, (record) => record.noticeRules),
  active: field(nullable(version.answer), ({ active }) => active && version.present(active)),
  newest: field(nullable(version.answer), ({ newest }) => newest && version.present(newest)),
});

/** A mapping can be large. */
const maxPerPage = 50;

export const configurationRoutes = ({ configurations }: Admin): Route[] => [
  listRoute(configuration, {
    ...listOptions,
    path: '/v1/admin/webhooks/configurations',
    summary:
      'List webhooks with their settings, own rules of notices, and active and newest mapping',
    filters: {
      ...listOptions.filters,
      per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPerPage, default: 10 })),
    },
    list: ({ query, caller }, page) => configurations(filterOf(query, caller), page),
  }),
];
