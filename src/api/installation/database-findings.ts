/** Findings of what the promises rest on, as after a restore: unique indexes, secrets, mappings and effects. */
import { finding, type Finding } from './finding.ts';
import { textWith } from '../../base/texts/texts.ts';

type DatabaseFacts = {
  readonly missingIndexes: readonly string[];
  readonly secrets: readonly {
    readonly owner: string;
    readonly readable: number;
    readonly unreadable: number;
  }[];
};
export type RecordFacts = {
  readonly mappings: { readonly active: number; readonly readable: number };
  readonly events: { readonly finished: number; readonly whole: number };
};

export function databaseFindings({ missingIndexes, secrets }: DatabaseFacts): Finding[] {
  const all = missingIndexes.length === 0;
  const text = all
    ? 'finding.indexes'
    : textWith('finding.indexes_missing', { names: missingIndexes.join(', ') });
  return [
    finding('indexes', all, text),
    ...secrets.map(({ owner, readable, unreadable }) => {
      const opened = textWith('finding.secrets', { readable, all: readable + unreadable });
      return { ...finding('secrets', unreadable === 0, opened), check: `secrets_of_${owner}s` };
    }),
  ];
}

export function recordFindings(records: RecordFacts): Finding[] {
  const { active, readable } = records.mappings;
  const { finished, whole } = records.events;
  return [
    finding('mappings', readable === active, textWith('finding.mappings', { readable, active })),
    finding('events', whole === finished, textWith('finding.events', { whole, finished })),
  ];
}
