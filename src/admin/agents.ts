/** Agents: create, change and delete the people who answer chats. */
import { AppError, invalidField, orNotFound } from '../base/errors.ts';
import type { AgentRecord, AgentStatus } from '../domain/agents/agent.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { AdminDeps } from './dependencies.ts';

type AgentInput = {
  readonly name?: string;
  readonly lastName?: string | null;
  readonly email?: string | null;
  readonly status?: AgentStatus;
  readonly sectorIds?: readonly string[];
};

/** It was deleted after it was read. */
const sectorGone = (): AppError => invalidField('/sectorIds', 'does not exist');

export function createAgents({ agents, sectors }: Pick<AdminDeps, 'agents' | 'sectors'>) {
  const get = async (id: string): Promise<AgentRecord> => orNotFound(await agents.get(id));

  /** Throws `invalid_field` for a sector that does not exist. */
  async function requireSectors(ids: readonly string[] = []): Promise<void> {
    const found = new Set((await sectors.getMany(ids)).map(({ _id }) => _id));
    const missing = ids.findIndex((id) => !found.has(id));
    if (missing !== -1) throw invalidField(`/sectorIds/${missing}`, 'does not exist');
  }

  return {
    get,
    list: agents.list,

    async create(
      {
        name,
        lastName = null,
        email = null,
        sectorIds = [],
      }: AgentInput & { readonly name: string },
      actor: Actor,
    ): Promise<AgentRecord> {
      await requireSectors(sectorIds);
      const given = { name, lastName, email, sectorIds: [...new Set(sectorIds)] };
      const created = await agents.create(given, actor);
      if (created.ok) return created.value;
      throw sectorGone();
    },

    async change(
      id: string,
      { sectorIds, ...change }: AgentInput,
      actor: Actor,
    ): Promise<AgentRecord> {
      await requireSectors(sectorIds);
      const set = { ...change, ...(sectorIds && { sectorIds: [...new Set(sectorIds)] }) };
      const changed = await agents.change(id, set, actor);
      if (changed.ok) return changed.value;
      throw changed.reason === 'gone' ? sectorGone() : new AppError('not_found');
    },

    /** Throws `in_use` while the agent has an open chat. */
    async remove(id: string, actor: Actor): Promise<void> {
      const removed = await agents.remove(id, actor);
      if (!removed.ok && removed.reason === 'in_use') throw new AppError('in_use');
      if (!removed.ok) throw new AppError('not_found');
    },
  };
}
