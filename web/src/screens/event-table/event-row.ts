import type { Answer } from '../../api/client.ts';

/** An event as the list and the live stream show it. */
export type EventRow = Answer<'listEvents'>['results'][number];
