/** What the HTTP application needs from the API: its routes, and who calls them. */
import type { Admin } from './admin.ts';
import { createInbox } from './chats/inbox.ts';
import type { ApiContext } from './context.ts';
import { apiRoutes } from './route-table.ts';
import type { Credential } from '../http/auth/credential.ts';

export const apiOf = (ctx: ApiContext, admin: Admin) => ({
  routes: apiRoutes(ctx, admin),
  mappingSchemas: admin.mappingSchemas,
  authenticate: ({ kind, secret }: Credential) =>
    (kind === 'session' ? admin.consoleSessions : admin.tokens).authenticate(secret),
  reader: admin.reader,
  formReader: admin.formReader,
  requireExecutor: (id: string) => createInbox(ctx).requireExecutor(id),
  attempt: admin.attempt,
});
