import type { EventRecord } from '../../domain/event.ts';
import type { Collection } from '../connection.ts';

export type Events = Collection<EventRecord>;
