/**
 * Agents: the people who answer chats. Collection `agents`. Each change is written with its audit row.
 *
 * Promises: an agent who has an open chat is not deleted. A deleted agent keeps its name for its chats and messages. An agent
 * has no sector that was deleted, also when the deletion and the change are concurrent.
 */
import { newId } from '../../base/ids.ts';
import { failure, type Failure } from '../../base/result.ts';
import type { AgentRecord, AgentStatus } from '../../domain/agents/agent.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import {
  changeAuditedRecord,
  insertAudited,
  updateRecord,
  type AuditedRecords,
} from '../audit/audited-change.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import { indexesOf, type Session, type Db } from '../db/connection.ts';
import { anyOf, escapeRegex, exists, readPage } from '../db/queries.ts';
import { markUsed, markDeleted, type Gone } from '../chats/use-marks.ts';

const collection = 'agents';

export const agentIndexes = [
  ...indexesOf(collection, {
    by_creation: { key: { createdAt: -1, _id: -1 } },
    by_name: { key: { name: 1, _id: 1 } },
  }),
  ...indexesOf('chats', {
    open_by_agent: {
      key: { 'agent.agentId': 1, lastMessageAt: -1, _id: -1 },
      where: { open: true, 'agent.agentId': { $exists: true } },
    },
    open_by_joined: {
      key: { 'joined.agentId': 1, lastMessageAt: -1, _id: -1 },
      where: { open: true, 'joined.agentId': { $exists: true } },
    },
  }),
];

/** Index by sort field. A list uses the index of its order for every filter, because agents are few. */
const indexOf: Readonly<Record<string, string>> = { createdAt: 'by_creation' };

type AgentFilter = {
  readonly status?: readonly AgentStatus[];
  readonly sectorId?: readonly string[];
  /** Part of a name or of the email address. Case is ignored. */
  readonly search?: string;
};

type NewAgent = Pick<AgentRecord, 'name' | 'lastName' | 'email' | 'sectorIds'>;
type AgentChange = Partial<NewAgent & Pick<AgentRecord, 'status'>>;

/** Agents in a list without pages. */
const maxListed = 1_000;

const notDeleted = { deletedAt: { $exists: false } } as const;

/** No names and addresses: rows of agents are not redacted. */
const factsOf = ({ status, sectorIds, updatedAt }: AgentRecord): AuditFacts => ({
  status,
  sectorIds,
  updatedAt,
});

function conditionsOf({ status, sectorId, search }: AgentFilter) {
  const part = search === undefined ? null : { $regex: escapeRegex(search), $options: 'i' };
  return {
    ...anyOf({ status, sectorIds: sectorId }),
    ...(part && { $or: [{ name: part }, { lastName: part }, { email: part }] }),
    ...notDeleted,
  };
}

export function createAgentStore(context: Db) {
  const agents = collectionOf<AgentRecord>(context.connection, collection);
  return {
    ...createAgentChanges(context, agents),
    get: (id: string): Promise<AgentRecord | null> => agents.findOne({ _id: id, ...notDeleted }),
    /** Returns the agents, deleted agents included. */
    getMany: (ids: readonly string[]) => agents.find({ _id: { $in: [...ids] } }).toArray(),
    list: (filter: AgentFilter, page: Page): Promise<Paged<AgentRecord>> =>
      readPage(agents, conditionsOf(filter), {
        ...page,
        hint: indexOf[Object.keys(page.sort)[0] ?? ''] ?? 'by_name',
      }),
    listActive: (filter: Pick<AgentFilter, 'sectorId'>): Promise<AgentRecord[]> =>
      agents
        .find(conditionsOf({ ...filter, status: ['active'] }), {
          sort: { name: 1, _id: 1 },
          limit: maxListed,
          hint: 'by_name',
        })
        .toArray(),
  };
}

function createAgentChanges(context: Db, records: Collection<AgentRecord>) {
  const { connection, clock } = context;
  const chats = collectionOf<ChatRecord>(connection, 'chats');
  const audited: AuditedRecords<AgentRecord> = {
    records,
    type: 'agent',
    present: notDeleted,
    factsOf,
  };
  const write = (_id: string, set: object, session: Session) =>
    updateRecord(
      audited,
      { where: { _id }, update: { $set: { ...set, updatedAt: clock.now() } } },
      session,
    );
  const requireSectors = async (ids: readonly string[], session: Session) =>
    (await markUsed(connection, { name: 'sectors', ids }, session)) ? null : failure('gone');

  return {
    /** Fails with `gone` when one of the sectors was deleted. */
    create(given: NewAgent, actor: Actor) {
      const now = clock.now();
      const status = 'active' as const;
      const record = { _id: newId(), ...given, status, createdAt: now, updatedAt: now };
      const check = (session: Session) => requireSectors(given.sectorIds, session);
      return insertAudited<AgentRecord, Gone>(context, audited, { record, actor, check });
    },

    /** Fails with `gone` when one of the sectors was deleted. */
    change: (id: string, change: AgentChange, actor: Actor) =>
      changeAuditedRecord<AgentRecord, Gone>(context, audited, {
        id,
        actor,
        action: 'agent.change',
        write: async (session) =>
          (await requireSectors(change.sectorIds ?? [], session)) ?? write(id, change, session),
      }),

    /** Fails with `in_use` while the agent has an open chat. */
    remove: (id: string, actor: Actor) =>
      changeAuditedRecord<AgentRecord, Failure<'in_use'>>(context, audited, {
        id,
        actor,
        action: 'agent.delete',
        write: async (session) => {
          const hasChat = await exists(chats, { open: true, 'agent.agentId': id }, { session });
          if (hasChat) return failure('in_use');
          await markDeleted(connection, { name: 'agents', id }, session);
          return write(id, { status: 'disabled', deletedAt: clock.now() }, session);
        },
      }),
  };
}
