/** Outcome of one processing attempt of an event. */
import type { Reason } from './actions.ts';
import type { MappingProblem } from '../mappings/mapping.ts';
import type { EventEffects } from './event.ts';

type EventFacts = {
  readonly eventType: string | null;
  readonly eventDate: Date | null;
  readonly problems: readonly MappingProblem[];
};

export type Outcome =
  | ({ readonly kind: 'done'; readonly effects: EventEffects } & EventFacts)
  | { readonly kind: 'split'; readonly items: number }
  | ({ readonly kind: 'ignored'; readonly reason: string } & Partial<EventFacts>)
  | ({ readonly kind: 'dead'; readonly reason: string } & Partial<EventFacts>)
  | { readonly kind: 'retry'; readonly reason: Reason };

/** Crashes after which an event that is processed alone becomes dead. */
export const maxIsolatedCrashes = 3;

/** Returns a reason without the detail behind its colon, which has no bound. */
export const reasonCode = (reason: string): string => reason.split(':', 1)[0] ?? reason;
