// The OpenAPI document without a database: routes are data, and what they would call is a stub.
import { createOpenApiDocument } from '../../../src/http/openapi/document.ts';
import type { Route } from '../../../src/http/routing/route.ts';
import { apiRoutes } from '../../../src/api/route-table.ts';
import type { ApiContext } from '../../../src/api/context.ts';
import { mappingSchemas } from '../../../src/mapping/language/schema.ts';

/** A stub whose properties are stubs too. */
const stub: object = new Proxy(() => stub, { get: () => stub });

export const stubbedRoutes = (): Route[] => apiRoutes(stub as ApiContext);

export const documentOfStubs = () => createOpenApiDocument(stubbedRoutes(), mappingSchemas);
