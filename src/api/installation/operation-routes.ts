/** /v1/admin/database and /v1/admin/drills, and how the findings of checks are shown. */
import { Type } from 'typebox';
import { recordBackupVerification } from '../../store/maintenance/backup-verifications.ts';
import type { ApiContext } from '../context.ts';
import { verifyDatabase } from './database.ts';
import { startDrill } from './drills.ts';
import { findingResults, type Finding } from './finding.ts';
import { secretOwners } from '../../domain/access/secret-locations.ts';
import { drillFaults } from '../../domain/drill.ts';
import { route, type Route } from '../../http/routing/route.ts';
import {
  flag,
  count,
  id,
  nullable,
  strictObject,
  stringEnum,
  text,
  time,
} from '../../http/routing/schemas.ts';
import { viewsOf } from '../../http/routing/view.ts';
import { renderText } from '../../base/texts/texts.ts';

const { field, view } = viewsOf<Finding>();
const finding = view({
  check: text,
  result: stringEnum(findingResults),
  text: field(text, (record, language) => renderText(record.text, language)),
  advice: field(
    nullable(Type.String({ description: 'What to do; null if nothing is.' })),
    ({ advice }, language) => advice && renderText(advice, language),
  ),
});

export const findingsAnswer = Type.Array(strictObject(finding.answer.properties), {
  description: 'What was checked, and what to do, in the caller’s language.',
});
export const presentFindings = (
  findings: readonly Finding[],
  language: Parameters<typeof finding.present>[1],
) => findings.map((one) => finding.present(one, language));

export const operationRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'GET',
    path: '/v1/admin/database/verify',
    scope: 'admin',
    operationId: 'verifyDatabase',
    tag: 'Database',
    summary:
      'Verify the unique indexes, and count the stored secrets that the configured keys open; no secret is shown',
    query: strictObject({
      records: flag(
        'Also verifies the active mappings, and the effects of up to 1,550 finished events of the whole time.',
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
    handle: async ({ query, language }) => {
      const { findings, ...facts } = await verifyDatabase(ctx, query);
      return { ...facts, findings: presentFindings(findings, language) };
    },
  }),
  route({
    method: 'POST',
    path: '/v1/admin/database/verifications',
    scope: 'admin',
    operationId: 'recordBackupVerification',
    tag: 'Database',
    summary:
      'Record that a backup of this installation was restored elsewhere and found whole now, for its metric and alert',
    answer: strictObject({ verifiedAt: time }),
    handle: async ({ caller }) => ({ verifiedAt: await recordBackupVerification(ctx, caller) }),
  }),
  route({
    method: 'POST',
    path: '/v1/admin/drills',
    scope: 'admin',
    operationId: 'startDrill',
    tag: 'Drills',
    summary:
      'Cause a fault on purpose: 404 unless INLET_DRILLS is true; one in a minute. Its worker ends within ten seconds',
    body: strictObject({ fault: stringEnum(drillFaults) }),
    answer: strictObject({ processId: nullable(id), keys: nullable(count) }),
    handle: ({ body, caller }) => startDrill(ctx, body.fault, caller),
  }),
];
