/** Events: read, reveal, replay and discard. */
import { orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { asLive } from '../../domain/events/attempts.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { listSets } from '../../store/sets/sets.ts';
import { maskContent, readContent, type EventContent } from '../samples/event-content.ts';
import type { ApiContext } from '../context.ts';

/** An event with its content: masked, unless it was revealed. */
export type EventView = { readonly event: EventRecord; readonly content: EventContent };

export function createEvents(deps: ApiContext) {
  const { connection, events, replayEvent, discardEvent } = deps;

  async function get(id: string): Promise<EventRecord> {
    const event = orNotFound(await events.get(id));
    return event.open ? asLive(event, await listSets(connection)) : event;
  }

  const view = async (event: EventRecord): Promise<EventView> => ({
    event,
    content: maskContent(await readContent(deps, event)),
  });

  /**
   * The precondition refers to the event with its content. The content is read before the transaction, because it
   * needs more than the record.
   */
  async function expecting(id: string, actor: Actor): Promise<Actor> {
    const { checkPrecondition } = actor;
    if (!checkPrecondition) return actor;
    const { content } = await view(await get(id));
    return {
      ...actor,
      checkPrecondition: (record) => checkPrecondition({ event: record as EventRecord, content }),
    };
  }

  return {
    get,
    read: async (id: string): Promise<EventView> => view(await get(id)),

    /** Returns the event with credentials unmasked. The audit log records the access first. */
    async reveal(id: string, actor: Actor): Promise<EventView> {
      const event = await get(id);
      const content = await readContent(deps, event);
      await events.recordReveal(id, actor);
      return { event, content };
    },

    replay: async (id: string, change: 'replay' | 'remap', actor: Actor): Promise<EventView> =>
      view(await replayEvent(id, change, await expecting(id, actor))),

    discard: async (id: string, actor: Actor): Promise<EventView> =>
      view(await discardEvent(id, await expecting(id, actor))),
  };
}
