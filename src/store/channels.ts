/** Channels, by id. Each change and its audit row stand or fall together. */
import { newId } from '../base/ids.ts';
import type { Actor, AuditFacts } from '../domain/audit.ts';
import type { ChannelKind, ChannelRecord } from '../domain/channel.ts';
import type { DateRange, Page, Paged } from '../domain/paging.ts';
import { createAuditStore } from './audit.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { anyOf, inTransaction, modelOf, readPage, sayingUnavailable, within } from './model.ts';

export const channelIndexes: readonly IndexSpec[] = [
  { collection: 'channels', name: 'by_creation', key: { createdAt: -1, _id: -1 } },
];

const definition = {
  _id: String,
  name: String,
  kind: String,
  settings: Object,
  enabled: Boolean,
  createdAt: Date,
  updatedAt: Date,
};

export type ChannelFilter = DateRange & {
  readonly name?: readonly string[];
  readonly kind?: readonly string[];
  readonly enabled?: boolean;
};

export type NewChannel = {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly settings: Readonly<Record<string, unknown>>;
};

export type ChannelChange = Partial<Pick<ChannelRecord, 'name' | 'settings' | 'enabled'>>;

/** Which settings are set; what they hold may be secret. */
const factsOf = ({ name, kind, settings, enabled }: ChannelRecord): AuditFacts => ({
  name,
  kind,
  enabled,
  settings: Object.keys(settings),
});

export type ChannelStore = ReturnType<typeof createChannelStore>;

export function createChannelStore(connection: Connection) {
  const channels = modelOf<ChannelRecord>(connection, 'channels', definition);
  const audit = createAuditStore(connection);

  function create(given: NewChannel, actor: Actor): Promise<ChannelRecord> {
    const now = new Date();
    const record = { _id: newId(), ...given, enabled: true, createdAt: now, updatedAt: now };
    const target = { type: 'channel', id: record._id } as const;
    return inTransaction(connection, async (session) => {
      await channels.create([record], { session });
      const entry = { actor, action: 'channel.create', target, before: null };
      await audit.add({ ...entry, after: factsOf(record) }, session);
      return record;
    });
  }

  /** Null where there is no such channel. */
  function change(id: string, set: ChannelChange, actor: Actor): Promise<ChannelRecord | null> {
    return inTransaction(connection, async (session) => {
      const before = await channels
        .findOneAndUpdate({ _id: id }, { $set: { ...set, updatedAt: new Date() } } as never, {
          session,
          returnDocument: 'before',
        })
        .lean<ChannelRecord | null>();
      if (!before) return null;
      const after = await channels.findById(id).session(session).orFail().lean<ChannelRecord>();
      const target = { type: 'channel', id } as const;
      const facts = { before: factsOf(before), after: factsOf(after) };
      await audit.add({ actor, action: 'channel.change', target, ...facts }, session);
      return after;
    });
  }

  return sayingUnavailable({
    create,
    change,
    get: (id: string): Promise<ChannelRecord | null> =>
      channels.findById(id).lean<ChannelRecord | null>().exec(),
    getMany: (ids: readonly string[]): Promise<ChannelRecord[]> =>
      channels
        .find(anyOf({ _id: ids }) as never)
        .lean<ChannelRecord[]>()
        .exec(),
    list: (filter: ChannelFilter, page: Page): Promise<Paged<ChannelRecord>> =>
      readPage(
        channels,
        {
          ...anyOf({ name: filter.name, kind: filter.kind }),
          ...(filter.enabled !== undefined && { enabled: filter.enabled }),
          ...within('createdAt', filter),
        },
        page,
      ),
  });
}
