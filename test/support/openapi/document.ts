// The OpenAPI document without a database: routes are data, and their dependencies are stubs.
import type { Admin } from '../../../src/api/admin.ts';
import { noticeTargetKinds } from '../../../src/channels/notices/target-kinds.ts';
import { channelKinds } from '../../../src/channels/registry.ts';
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import type { Route } from '../../../src/http/routing/route.ts';
import { apiRoutes } from '../../../src/api/route-table.ts';
import type { ApiContext } from '../../../src/api/context.ts';
import type { Inbox } from '../../../src/api/chats/inbox.ts';
import { mappingSchemas } from '../../../src/mapping/language/schema.ts';

/** The data that routes are built from. */
const data = new Map<string | symbol, object>([
  ['kinds', channelKinds],
  ['noticeTargetKinds', noticeTargetKinds],
]);

/** A stub whose properties are stubs too, except for the data. */
const stub: object = new Proxy(() => stub, {
  get: (_target, name) => data.get(name) ?? stub,
});

export const stubbedRoutes = (): Route[] =>
  apiRoutes(stub as ApiContext, stub as Admin, stub as Inbox);

export const documentOfStubs = () => createOpenApiDocument(stubbedRoutes(), mappingSchemas);
