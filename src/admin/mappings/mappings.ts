/** Mapping versions: validated before they are saved. */
import { AppError, orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { AdminDeps } from '../dependencies.ts';
import { compileOrReject } from './compile-or-reject.ts';

type MappingDeps = Pick<AdminDeps, 'mappings' | 'invalidate'>;

export function createMappings({ mappings, invalidate }: MappingDeps) {
  return {
    list: mappings.list,

    get: async (webhookId: string, version: number): Promise<MappingVersion> =>
      orNotFound(await mappings.get(webhookId, version)),

    async create(webhookId: string, document: unknown, actor: Actor): Promise<MappingVersion> {
      const { document: mapping } = compileOrReject(document);
      const saved = await mappings.create(webhookId, mapping, actor);
      invalidate(webhookId);
      if (saved.ok) return saved.value;
      if (saved.reason === 'not_found') throw new AppError('not_found');
      throw new AppError('invalid_transition', { details: { state: saved.reason } });
    },
  };
}
