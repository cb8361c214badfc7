/** An event as lists, exports and the live tail show it. */
import { Type } from 'typebox';
import { eventState } from './event-query.ts';
import { count, strictObject, id, nullable, text, time } from '../routing/schemas.ts';

export const eventFields = {
  id,
  webhookId: id,
  test: Type.Boolean({ description: 'Made by a person to try a mapping.' }),
  externalId: nullable(text),
  eventType: nullable(text),
  eventDate: nullable(time),
  state: eventState,
  reason: nullable(text),
  attempts: count,
  deliveries: count,
  mappingVersion: Type.Integer(),
  receivedAt: time,
  finishedAt: nullable(time),
  nextAt: nullable(time),
};

export const eventShape = strictObject(eventFields);
