/** What the HTTP application needs from the API: its routes, and who calls them. */
import type { Admin } from './admin.ts';
import { createInbox } from './chats/inbox.ts';
import type { ApiContext } from './context.ts';
import { apiRoutes } from './route-table.ts';
import { authenticateSession } from './access/console-sessions.ts';
import { authenticateToken } from './access/tokens.ts';
import type { Credential } from '../http/auth/credential.ts';

export const apiOf = (ctx: ApiContext, admin: Admin) => ({
  routes: apiRoutes(ctx, admin),
  mappingSchemas: admin.mappingSchemas,
  authenticate: ({ kind, secret }: Credential) =>
    kind === 'session' ? authenticateSession(ctx, secret) : authenticateToken(ctx, secret),
  reader: admin.reader,
  formReader: admin.formReader,
  requireExecutor: (id: string) => createInbox(ctx).requireExecutor(id),
  attempt: ctx.attempt,
});
