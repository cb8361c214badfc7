import type { EventRecord } from '../../domain/events/event.ts';
import type { Collection } from '../db/connection.ts';

export type Events = Collection<EventRecord>;
