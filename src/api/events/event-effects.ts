/** For a list of events: the contact of each, and the text of its message. */
import { mayAccess, type Caller } from '../../domain/access/token.ts';
import type { ContactRecord } from '../../domain/people/contact.ts';
import type { ApiContext } from '../context.ts';

export type EffectSummary = {
  readonly eventId: string;
  /** The contact, or the survivor of a merged one. Null: erased, or outside the restriction of the caller. */
  readonly contact: ContactRecord | null;
  /** The first 200 characters. Null: erased, or without text. */
  readonly message: string | null;
};

const maxCharacters = 200;

/** Returns the summaries of those of the events that have effects, in three reads. Other and unknown events are absent. */
export async function summarizeEffects(
  { events, people, messages }: ApiContext,
  ids: readonly string[],
  caller: Pick<Caller, 'restriction'>,
): Promise<EffectSummary[]> {
  const records = (await events.getRecords(ids)).filter((event) => mayAccess(caller, event));
  const effects = records.flatMap(({ effects: made }) => made ?? []);
  const [contacts, texts] = await Promise.all([
    people.findSurvivors(effects.map(({ contactId }) => contactId)),
    messages.getMany(effects.map(({ messageId }) => messageId)),
  ]);
  const textById = new Map(texts.map(({ _id, content }) => [_id, content.message]));
  return records.flatMap(({ _id, effects: made }) => {
    if (!made) return [];
    const contact = contacts.get(made.contactId);
    const text = textById.get(made.messageId) ?? '';
    return {
      eventId: _id,
      contact: contact && mayAccess(caller, contact) ? contact : null,
      message: text === '' ? null : text.slice(0, maxCharacters),
    };
  });
}
