/** Mappings that no longer read what the sender sends. New paths, which no mapping reads, need no person. */
import type { DriftBucket } from '../../domain/mappings/drift.ts';
import type { MappingDocument } from '../../domain/mappings/mapping.ts';
import type { Condition } from '../../domain/notices/notice.ts';
import { summarizeDrift } from '../../mapping/drift/drift-summary.ts';

const maxTargets = 10;

export function mappingDrift(
  webhookId: string,
  buckets: readonly DriftBucket[],
  mapping: MappingDocument,
): Condition[] {
  const { warnings } = summarizeDrift(buckets, mapping);
  const read = warnings.filter(({ kind }) => kind !== 'new_path');
  if (read.length === 0) return [];
  const targets = [...new Set(read.flatMap(({ target }) => target ?? []))];
  const facts = { count: read.length, targets: targets.slice(0, maxTargets) };
  return [{ kind: 'mapping_drift', webhookId, subject: '', level: targets.length, facts }];
}
