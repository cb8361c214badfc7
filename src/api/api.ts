/** What the HTTP application needs from the API: its routes, and who calls them. */
import type { Admin } from './admin.ts';
import type { Inbox } from './chats/inbox.ts';
import { apiRoutes } from './route-table.ts';
import type { Credential } from '../http/auth/credential.ts';

export const apiOf = (admin: Admin, inbox: Inbox) => ({
  routes: apiRoutes(admin, inbox),
  mappingSchemas: admin.mappingSchemas,
  authenticate: ({ kind, secret }: Credential) =>
    (kind === 'session' ? admin.consoleSessions : admin.tokens).authenticate(secret),
  reader: admin.reader,
  formReader: admin.formReader,
  requireExecutor: (id: string) => inbox.requireExecutor(id),
  attempt: admin.attempt,
});
