/** /v1/admin/notices and the rules of notices */
import { Type } from 'typebox';
import { noticeKinds, noticeStates, type NoticeRecord } from '../../domain/notices/notice.ts';
import { defaultRules, installationRules, noticeRules } from '../../domain/notices/rules.ts';
import { narrowIds } from '../../domain/access/token.ts';
import { webhookOfPath } from '../../http/auth/authorization.ts';
import { patchSchema } from '../../http/requests/patch-schema.ts';
import { commaList } from '../../http/requests/query.ts';
import { compileValidator } from '../../http/requests/validation.ts';
import { listRoute, recordRoutes, resourceRoute } from '../../http/routing/resource.ts';
import type { Route } from '../../http/routing/route.ts';
import {
  count,
  id,
  idParams,
  nullable,
  strictObject,
  stringEnum,
  text,
  time,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import type { ApiContext } from '../context.ts';
import { changeNoticeRules, describeNotice, readNoticeRules, type ShownRules } from './notices.ts';

const path = '/v1/admin/notices';
const kind = stringEnum(noticeKinds);
const facts = strictObject({
  count: nullable(count),
  since: nullable(time),
  until: nullable(time),
  name: nullable(text),
  targets: nullable(Type.Array(text)),
});

const ofNotice = viewsOf<NoticeRecord>();
const noticeView = ofNotice.view({
  id,
  kind,
  webhookId: nullable(id),
  // A reason, or the id of a key or channel; null where the kind says all.
  subject: ofNotice.field(nullable(text), ({ subject }) => (subject === '' ? null : subject)),
  state: stringEnum(noticeStates),
  facts: ofNotice.field(facts, ({ facts: { count: n, since, until, name, targets } }) => ({
    count: n ?? null,
    since: since ?? null,
    until: until ?? null,
    name: name ?? null,
    targets: targets ? [...targets] : null,
  })),
  text: ofNotice.field(text, (notice, language) => describeNotice(notice, language)),
  openedAt: time,
  changedAt: time,
  resolvedAt: nullable(time),
});

const checkRules = compileValidator(noticeRules);
const effective = Type.Unsafe<typeof defaultRules>(
  strictObject(
    Object.fromEntries(
      Object.entries(defaultRules).map(([name, settings]) => [
        name,
        strictObject(
          Object.fromEntries(
            Object.entries(settings).map(([setting, value]) => [
              setting,
              typeof value === 'boolean' ? Type.Boolean() : Type.Integer(),
            ]),
          ),
        ),
      ]),
    ),
  ),
);
const ofRules = viewsOf<ShownRules>();
/** The stored record, which `If-Match` is compared with, has no effective rules. */
const rulesResource = ofRules.view(
  {
    /** Those that are set here. */
    rules: ofRules.field(noticeRules, ({ rules }) => rules),
    /** Those that apply. */
    effective: ofRules.field(effective, (record) => record.effective),
    updatedAt: nullable(time),
  },
  { untagged: ['effective'] },
);

export const noticeRoutes = (ctx: ApiContext): Route[] => [
  listRoute(noticeView, {
    path,
    scope: 'viewer',
    restriction: 'narrowed',
    operationId: 'listNotices',
    tag: 'Notices',
    schemaName: 'Notice',
    summary: 'List open and recent notices',
    sortable: { openedAt: 'openedAt' },
    sortBy: '-openedAt',
    filters: {
      state: commaList(stringEnum(noticeStates)),
      kind: commaList(kind),
      webhookId: commaList(id),
    },
    list: ({ query, caller }, page) => {
      const webhookId = narrowIds(caller.restriction?.webhookIds, query.webhookId);
      return ctx.notices.list({ ...query, webhookId }, page);
    },
  }),
  ...ruleRoutes(ctx),
];

const ruleRoutes = (ctx: ApiContext): Route[] => {
  const ofWebhook = recordRoutes(rulesResource, {
    path: '/v1/admin/webhooks/:id/notice-rules',
    params: idParams,
    restriction: webhookOfPath,
    find: (params) => readNoticeRules(ctx, params.id),
  });
  return [
    resourceRoute(rulesResource, {
      method: 'GET',
      path: `${path}/rules`,
      scope: 'viewer',
      restriction: 'anything',
      operationId: 'getNoticesRules',
      tag: 'Notices',
      summary: 'Read the rules of the installation',
      handle: () => readNoticeRules(ctx, installationRules),
    }),
    resourceRoute(rulesResource, {
      method: 'PATCH',
      path: `${path}/rules`,
      scope: 'admin',
      operationId: 'updateNoticesRules',
      tag: 'Notices',
      summary: 'Change the rules of the installation; null removes a rule or a setting',
      find: () => readNoticeRules(ctx, installationRules),
      body: patchSchema(noticeRules),
      handle: ({ body, caller }) =>
        changeNoticeRules(
          ctx,
          { id: installationRules, patch: body },
          { actor: caller, check: checkRules },
        ),
    }),
    ofWebhook.read({
      scope: 'viewer',
      operationId: 'getWebhookNoticeRules',
      tag: 'Webhooks',
      summary: 'Read the rules of a webhook',
    }),
    ofWebhook.change({
      scope: 'admin',
      operationId: 'updateWebhookNoticeRules',
      tag: 'Webhooks',
      summary: 'Change the rules of a webhook; null removes a rule or a setting',
      body: patchSchema(noticeRules),
      handle: ({ params, body, caller }) =>
        changeNoticeRules(ctx, { ...params, patch: body }, { actor: caller, check: checkRules }),
    }),
  ];
};
