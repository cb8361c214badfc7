/** An event as lists, exports and the live tail show it. */
import { Type } from 'typebox';
import { state } from './event-query.ts';
import { count, exactly, id, orNull, text, time } from './shapes.ts';

export const eventFields = {
  id,
  webhookId: id,
  test: Type.Boolean({ description: 'Made by a person to try a mapping.' }),
  externalId: orNull(text),
  eventType: orNull(text),
  eventDate: orNull(time),
  state,
  reason: orNull(text),
  attempts: count,
  deliveries: count,
  mappingVersion: Type.Integer(),
  receivedAt: time,
  finishedAt: orNull(time),
  nextAt: orNull(time),
};

export const eventShape = exactly(eventFields);
