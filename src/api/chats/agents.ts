/** Agents, the people who answer chats: create, change and look up. */
import { AppError, invalidField, valueOrThrow } from '../../base/errors.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { ApiContext } from '../context.ts';

type AgentInput = Partial<
  Pick<AgentRecord, 'name' | 'lastName' | 'email' | 'status' | 'sectorIds'>
>;
/** Throws `invalid_field` for a sector that does not exist. */
async function requireSectors({ sectors }: ApiContext, ids: readonly string[] = []): Promise<void> {
  const found = new Set((await sectors.getMany(ids)).map(({ _id }) => _id));
  const missing = ids.findIndex((id) => !found.has(id));
  if (missing !== -1) throw invalidField(`/sectorIds/${missing}`, 'field.missing_record');
}

async function changedOrThrow(
  change: ReturnType<ApiContext['agents']['change']>,
): Promise<AgentRecord> {
  const result = await change;
  // A sector was deleted after it was read.
  if (!result.ok && result.reason === 'gone')
    throw invalidField('/sectorIds', 'field.missing_record');
  return valueOrThrow(result);
}

export async function createAgent(
  ctx: ApiContext,
  { name, lastName = null, email = null, sectorIds = [] }: AgentInput & { name: string },
  actor: Actor,
): Promise<AgentRecord> {
  await requireSectors(ctx, sectorIds);
  const given = { name, lastName, email, sectorIds: [...new Set(sectorIds)] };
  return changedOrThrow(ctx.agents.create(given, actor));
}

export async function changeAgent(
  ctx: ApiContext,
  { id, sectorIds, ...change }: AgentInput & { readonly id: string },
  actor: Actor,
): Promise<AgentRecord> {
  await requireSectors(ctx, sectorIds);
  const set = { ...change, ...(sectorIds && { sectorIds: [...new Set(sectorIds)] }) };
  return changedOrThrow(ctx.agents.change(id, set, actor));
}

/** Throws `in_use` while the agent has an open chat. */
export async function removeAgent(ctx: ApiContext, id: string, actor: Actor): Promise<void> {
  valueOrThrow(await ctx.agents.remove(id, actor));
}

/** Returns the agents with these ids, deleted agents included, by id. */
export async function agentsById(
  { agents }: ApiContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AgentRecord>> {
  if (ids.length === 0) return new Map();
  return new Map((await agents.getMany(ids)).map((agent) => [agent._id, agent]));
}

/** Returns the agent who acts. Throws `forbidden` for one who is unknown or disabled. */
export async function requireExecutor({ agents }: ApiContext, id: string): Promise<AgentRecord> {
  const agent = await agents.get(id);
  if (agent?.status !== 'active') throw new AppError('forbidden');
  return agent;
}
