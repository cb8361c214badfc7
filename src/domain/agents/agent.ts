/** An agent: a person who answers chats. The conversations API calls an agent `user`. */
export const agentStatuses = ['active', 'disabled'] as const;
export type AgentStatus = (typeof agentStatuses)[number];

export type AgentRecord = {
  readonly _id: string;
  readonly name: string;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly status: AgentStatus;
  readonly sectorIds: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** A deleted agent is not listed and cannot act. The record stays, so that chats and messages keep the name. */
  readonly deletedAt?: Date;
};
