/**
 * Mapping versions. Collection `mappings`. They are numbered per webhook without gaps and never change.
 *
 * The document is stored as JSON text and returned exactly, because its keys are field names with dots and dollar signs.
 */
import { newId } from '../../base/ids.ts';
import { success, type Failure, type Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingDocument } from '../../domain/mappings/mapping.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { MappingVersion, VersionKey } from '../../domain/mappings/mapping-version.ts';
import { indexesOf, inTransaction, type Db } from '../db/connection.ts';
import { withDeadline } from '../db/deadline.ts';
import { anyOf, readPage } from '../db/queries.ts';
import { missingOrArchived, versionsOf, webhooksOf, type VersionRecord } from './records.ts';
import { addAuditRow } from '../audit/audit.ts';

export const mappingIndexes = indexesOf('mappings', {
  by_version: { key: { webhookId: 1, version: 1 }, unique: true },
  by_number: { key: { version: 1, webhookId: 1 } },
});

function toVersion({ _id, document, ...rest }: VersionRecord): MappingVersion {
  return { ...rest, mapping: JSON.parse(document) as MappingDocument };
}

// A sampled webhook becomes mapped with its next version.
const numbering = [
  {
    $set: {
      lastVersion: { $add: ['$lastVersion', 1] },
      status: { $cond: [{ $eq: ['$status', 'sampled'] }, 'mapped', '$status'] },
      updatedAt: '$$NOW',
      changedAt: '$$NOW',
    },
  },
];

/** Fails when the webhook does not exist or is archived. */
export function insertMapping(
  db: Db,
  { webhookId, mapping }: { readonly webhookId: string; readonly mapping: MappingDocument },
  actor: Actor,
): Promise<Result<MappingVersion, Failure<'not_found' | 'archived'>>> {
  return inTransaction(db.connection, async (session) => {
    const where = { _id: webhookId, status: { $ne: 'archived' as const } };
    const webhook = await webhooksOf(db.connection).findOneAndUpdate(where, numbering, {
      session,
      returnDocument: 'after',
    });
    if (!webhook) return missingOrArchived(webhooksOf(db.connection), webhookId, session);
    const record: VersionRecord = {
      _id: newId(),
      webhookId,
      version: webhook.lastVersion,
      document: JSON.stringify(mapping),
      status: 'draft',
      createdAt: db.clock.now(),
      createdBy: actor.name,
      activatedAt: null,
    };
    await versionsOf(db.connection).insertOne(record, { session });
    const target = { type: 'mapping', id: webhookId } as const;
    const after = { version: record.version };
    await addAuditRow(db, { actor, action: 'mapping.create', target, after }, session);
    return success(toVersion(record));
  });
}

export async function getMapping(
  db: Db,
  webhookId: string,
  version: number,
): Promise<MappingVersion | null> {
  const record = await withDeadline((abort) =>
    versionsOf(db.connection).findOne({ webhookId, version }, abort),
  );
  return record && toVersion(record);
}

/** Returns the versions in no particular order. Versions that do not exist are absent. */
export async function getMappings(db: Db, keys: readonly VersionKey[]): Promise<MappingVersion[]> {
  if (keys.length === 0) return [];
  // By number: many webhooks have the same few, and MongoDB plans each branch.
  const byNumber = new Map<number, string[]>();
  for (const { webhookId, version } of keys) {
    const ids = byNumber.get(version);
    if (ids) ids.push(webhookId);
    else byNumber.set(version, [webhookId]);
  }
  const $or = [...byNumber].map(([version, ids]) => ({ version, webhookId: { $in: ids } }));
  const found = await withDeadline((abort) =>
    versionsOf(db.connection).find({ $or }, abort).toArray(),
  );
  return found.map(toVersion);
}

export async function listMappings(
  db: Db,
  webhookId: string,
  {
    filter,
    page,
  }: { readonly filter: { readonly status?: readonly string[] }; readonly page: Page },
): Promise<Paged<MappingVersion>> {
  const where = { webhookId, ...anyOf({ status: filter.status }) };
  const { results, total } = await readPage(versionsOf(db.connection), where, page);
  return { results: results.map(toVersion), total };
}

/** Returns which of the webhooks have any of these versions; null when more than `limit` versions match. */
export async function listWebhooksWithVersions(
  { connection }: Db,
  numbers: readonly number[],
  { webhookIds, limit }: { webhookIds: readonly string[] | undefined; limit: number },
): Promise<string[] | null> {
  const projection = { _id: 0, webhookId: 1 } as const;
  const found = await versionsOf(connection)
    .find(anyOf({ version: numbers, webhookId: webhookIds }), { projection, limit: limit + 1 })
    .toArray();
  return found.length > limit ? null : [...new Set(found.map(({ webhookId }) => webhookId))];
}
