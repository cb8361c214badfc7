/** What the HTTP application needs from the API: its routes, and who calls them. */
import type { Credential } from '../http/auth/credential.ts';
import { mappingSchemas } from '../mapping/language/schema.ts';
import { formOrJsonBody } from '../producers/decode/body.ts';
import { jsonBody } from '../producers/decode/json.ts';
import { authenticateSession } from './access/console-sessions.ts';
import { authenticateToken } from './access/tokens.ts';
import { requireExecutor } from './chats/agents.ts';
import type { ApiContext } from './context.ts';
import { apiRoutes } from './route-table.ts';

export const apiOf = (ctx: ApiContext) => ({
  routes: apiRoutes(ctx),
  mappingSchemas,
  authenticate: ({ kind, secret }: Credential) =>
    kind === 'session' ? authenticateSession(ctx, secret) : authenticateToken(ctx, secret),
  reader: jsonBody,
  formReader: formOrJsonBody,
  requireExecutor: (id: string) => requireExecutor(ctx, id),
  attempt: ctx.attempt,
});
