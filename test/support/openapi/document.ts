// The OpenAPI document without a database: routes are data, and what they would call is hollow here.
import type { Admin } from '../../../src/admin/admin.ts';
import { channelKinds } from '../../../src/channels/registry.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import type { Route } from '../../../src/http/routing/route.ts';
import { apiRoutes } from '../../../src/http/route-table.ts';
import type { Inbox } from '../../../src/inbox/inbox.ts';
import { mappingSchemas } from '../../../src/mapping/language/schema.ts';

/** Whatever is asked of it is hollow too, but for what routes are made of. */
const hollow: object = new Proxy(() => hollow, {
  get: (_target, name) => (name === 'kinds' ? channelKinds : hollow),
});

export const hollowRoutes = (): Route[] => apiRoutes(hollow as Admin, hollow as Inbox);

export const hollowDocument = () => createOpenApiDocument(hollowRoutes(), mappingSchemas);
