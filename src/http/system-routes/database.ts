/** /v1/admin/database */
import { Type } from 'typebox';
import type { Admin } from '../../admin/admin.ts';
import { secretOwners } from '../../domain/access/secret-locations.ts';
import { route, type Route } from '../routing/route.ts';
import { count, strictObject, stringEnum, text } from '../routing/schemas.ts';
import { findingsAnswer, presentFindings } from './finding-view.ts';

export const databaseRoutes = ({ database }: Admin): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/database/verify',
    scope: 'admin',
    summary:
      'Verify the unique indexes, and count the stored secrets that the configured keys open; no secret is shown',
    query: strictObject({
      records: Type.Optional(
        Type.Boolean({
          description:
            'Also verifies the chain of the audit log, the active mappings, and the effects of the last finished events.',
        }),
      ),
    }),
    answer: strictObject({
      missingIndexes: Type.Array(text),
      secrets: Type.Array(
        strictObject({
          owner: stringEnum(secretOwners),
          readable: count,
          unreadable: count,
        }),
      ),
      findings: findingsAnswer,
    }),
    handle: async ({ query, language, signal }) => {
      const { findings, ...facts } = await database.verify(query, signal);
      return { ...facts, findings: presentFindings(findings, language) };
    },
  }),
];
