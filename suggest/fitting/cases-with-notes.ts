/** Payloads with a note beside the message: the field that is named as a message is still the message. */
import { readName } from '../names/concepts.ts';
import type { Case } from './cases.ts';

const notes = [
  ['observacao', 'Ligar depois das 18h'],
  ['notes', 'Prefers to be called in the morning'],
  ['observaciones', 'Cliente de la tienda del centro'],
  ['remarks', 'VIP'],
  ['Anmerkung', 'Kommt aus der Kampagne im Mai'],
  ['internal_note', 'Second request this week, asked for the price'],
  ['obs', 'retornar'],
  ['remarque', 'Rappeler le soir'],
] as const;

/** Names of a message, and none of a note. */
const messageName =
  /^(?:message|mensagem|mensaje|msg|text|texto|body|nachricht|messaggio|bericht|comments?|comentarios?|your message|message text|text body|message body)$/;

/** Returns the case with a note after its message, or none when its message has another name or place. */
export function casesWithNotes(given: Case, order: number): Case[] {
  const text = given.truth.get('message.text');
  const note = notes[order % notes.length];
  if (text === undefined || note === undefined) return [];
  let isAdded = false;
  const add = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(add);
    if (typeof value !== 'object' || value === null) return value;
    const isOne = ([key, each]: [string, unknown]): boolean =>
      each === text && messageName.test(readName(key).words.join(' '));
    const entries = Object.entries(value).flatMap((entry): [string, unknown][] => {
      if (isAdded || !isOne(entry)) return [[entry[0], add(entry[1])]];
      isAdded = true;
      // Every second note comes before the message.
      return order % 2 === 0 ? [entry, [...note]] : [[...note], entry];
    });
    return Object.assign(Object.create(null) as object, Object.fromEntries(entries));
  };
  const body = add(given.payload.body);
  return isAdded ? [{ ...given, payload: { ...given.payload, body } }] : [];
}
