/** Whom and what a client can choose from: agents, channels, labels and sectors; and the agent who acts. */
import { AppError } from '../base/errors.ts';
import type { AgentRecord } from '../domain/agents/agent.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import type { InboxDeps } from './dependencies.ts';

/** Channels in a list without pages. */
const maxChannels = 1_000;

export function createDirectory({ agents, channels }: Pick<InboxDeps, 'agents' | 'channels'>) {
  return {
    listAgents: agents.list,
    /** Returns active agents, by name. */
    listActiveAgents: agents.listActive,
    /** Returns the agents with these ids, deleted agents included, by id. */
    async agentsById(ids: readonly string[]): Promise<ReadonlyMap<string, AgentRecord>> {
      if (ids.length === 0) return new Map();
      return new Map((await agents.getMany(ids)).map((agent) => [agent._id, agent]));
    },

    /** Returns enabled channels, by name. */
    async listChannels(ids: readonly string[] | undefined): Promise<readonly ChannelRecord[]> {
      const page = { skip: 0, limit: maxChannels, sort: { name: 1 } } as const;
      return (await channels.list({ ...(ids && { id: ids }), enabled: true }, page)).results;
    },

    /** Returns the agent who acts. Throws `forbidden` for one who is unknown or disabled. */
    async requireExecutor(id: string): Promise<AgentRecord> {
      const agent = await agents.get(id);
      if (agent?.status !== 'active') throw new AppError('forbidden');
      return agent;
    },
  };
}
