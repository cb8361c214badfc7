/** Agents: create and change the people who answer chats. */
import { invalidField, valueOrThrow } from '../../base/errors.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { ApiContext } from '../context.ts';

type AgentInput = Partial<
  Pick<AgentRecord, 'name' | 'lastName' | 'email' | 'status' | 'sectorIds'>
>;
type AgentDeps = Pick<ApiContext, 'agents' | 'sectors'>;

export function createAgents({ agents, sectors }: AgentDeps) {
  /** Throws `invalid_field` for a sector that does not exist. */
  async function requireSectors(ids: readonly string[] = []): Promise<void> {
    const found = new Set((await sectors.getMany(ids)).map(({ _id }) => _id));
    const missing = ids.findIndex((id) => !found.has(id));
    if (missing !== -1) throw invalidField(`/sectorIds/${missing}`, 'does not exist');
  }

  async function changed(change: ReturnType<typeof agents.change>): Promise<AgentRecord> {
    const result = await change;
    // A sector was deleted after it was read.
    if (!result.ok && result.reason === 'gone') throw invalidField('/sectorIds', 'does not exist');
    return valueOrThrow(result);
  }

  return {
    get: agents.get,
    list: agents.list,

    async create(
      { name, lastName = null, email = null, sectorIds = [] }: AgentInput & { name: string },
      actor: Actor,
    ): Promise<AgentRecord> {
      await requireSectors(sectorIds);
      const given = { name, lastName, email, sectorIds: [...new Set(sectorIds)] };
      return changed(agents.create(given, actor));
    },

    async change(
      id: string,
      { sectorIds, ...change }: AgentInput,
      actor: Actor,
    ): Promise<AgentRecord> {
      await requireSectors(sectorIds);
      const set = { ...change, ...(sectorIds && { sectorIds: [...new Set(sectorIds)] }) };
      return changed(agents.change(id, set, actor));
    },

    /** Throws `in_use` while the agent has an open chat. */
    async remove(id: string, actor: Actor): Promise<void> {
      valueOrThrow(await agents.remove(id, actor));
    },
  };
}
