/** Cuts what is grouped by producer into folds: no producer is in both parts of one. */
import { hashOf } from './variation/random.ts';

interface Fold<Item> {
  readonly train: readonly Item[];
  readonly test: readonly Item[];
}

/** Spreads the producers in an order that depends on their names alone. */
export function splitIntoFolds<Item extends { readonly producer: string }>(
  items: readonly Item[],
  count: number,
): Fold<Item>[] {
  const producers = [...new Set(items.map(({ producer }) => producer))].toSorted(
    (a, b) => hashOf(a) - hashOf(b) || a.localeCompare(b),
  );
  const foldOf = new Map(producers.map((producer, i) => [producer, i % count]));
  return Array.from({ length: count }, (_, fold) => ({
    train: items.filter(({ producer }) => foldOf.get(producer) !== fold),
    test: items.filter(({ producer }) => foldOf.get(producer) === fold),
  }));
}
