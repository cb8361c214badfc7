// A small model of events, and of the sets that have them.
import type { EventState } from '../../../src/domain/events/event.ts';

export const names = ['e0', 'e1'] as const;
export type Name = (typeof names)[number];

/** The second event has its own limit. */
export const limits: Record<Name, number | undefined> = { e0: undefined, e1: 2 };

/** The state of an event in the model. */
export type Life = {
  state: EventState;
  attempts: number;
  crashes: number;
  alone: boolean;
  fence: number;
  generation: number;
  deliveries: number;
  differing: number;
  body: string;
  version: number;
  /** Not compared. */
  isDue: boolean;
};
/** A set, with the events that are in it without an outcome. */
type ModelSet = { readonly token: string; readonly alone: boolean; readonly names: Set<Name> };
/** An event as a set took it, however long ago. */
export type Held = {
  readonly name: Name;
  readonly token: string;
  readonly fence: number;
  readonly state: EventState;
};
export type Model = {
  lives: Map<Name, Life>;
  /** Those that live, by token. */
  sets: Map<string, ModelSet>;
  held: Held[];
  finished: Set<string>;
};

export const isOpen = ({ state }: Life) => ['received', 'waiting'].includes(state);
export const fresh = (body: string, version: number, isHeld: boolean): Life => ({
  state: isHeld ? 'held' : 'received',
  attempts: 0,
  crashes: 0,
  alone: false,
  fence: 0,
  generation: 0,
  deliveries: 1,
  differing: 0,
  body,
  version,
  isDue: true,
});

export function again(life: Life, isHeld: boolean): void {
  const { fence, generation } = life;
  const back = { attempts: 0, crashes: 0, alone: false, isDue: true };
  Object.assign(life, back, { state: isHeld ? 'held' : 'received' });
  Object.assign(life, { fence: fence + 1, generation: generation + 1 });
}

export function isTakable({ lives, sets }: Model, name: Name, isAmongOthers: boolean): boolean {
  const life = lives.get(name);
  const isBusy = [...sets.values()].some(({ names }) => names.has(name));
  return life?.isDue === true && isOpen(life) && !isBusy && !(isAmongOthers && life.alone);
}

export const owns = ({ lives, sets }: Model, { name, token, fence, state }: Held): boolean => {
  const life = lives.get(name);
  return sets.has(token) && life?.state === state && life.fence === fence;
};

export function expireOne(name: Name, life: Life, wasAlone: boolean): void {
  life.attempts += 1;
  life.crashes += wasAlone ? 1 : 0;
  life.fence += 1;
  const isSpent = life.crashes >= 3 || life.attempts >= (limits[name] ?? 9);
  Object.assign(life, { state: isSpent ? 'dead' : 'received', alone: !isSpent, isDue: true });
}
