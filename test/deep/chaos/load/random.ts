// Random numbers that a seed repeats. mulberry32: 32 bits of state, which is plenty for choosing faults.

export type Random = {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number, both ends included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
};

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick<Value>(values: readonly Value[]): Value {
      const value = values[whole(0, values.length - 1)];
      if (value === undefined) throw new Error('There is nothing to pick from.');
      return value;
    },
  };
}
