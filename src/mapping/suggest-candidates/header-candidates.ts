/** Candidates for the event's id and type from headers. */
import type { Payload } from '../../domain/mappings/mapping.ts';
import type { Candidate } from './candidate.ts';
import { splitWords } from '../suggest-names/split-words.ts';

const idEndings = [
  'delivery',
  'delivery id',
  'delivery uuid',
  'event id',
  'idempotency key',
  'idempotency token',
  'invocation id',
];
const typeEndings = ['topic', 'event', 'event type', 'event name', 'event key', 'ce type'];
/** Of Standard Webhooks, of Svix, and of CloudEvents in binary mode. */
const standardIds = new Set(['webhook-id', 'svix-id', 'ce-id']);

/** Uses only the headers that all samples have. */
export function headerCandidates(samples: readonly Payload[]) {
  const shared = Object.entries(samples[0]?.headers ?? {})
    .filter(([name]) => samples.every(({ headers }) => Object.hasOwn(headers, name)))
    .slice(0, 200);
  const ending = (endings: readonly string[], score: number): Candidate[] =>
    shared.flatMap(([name, value]) => {
      const words = splitWords(name.toLowerCase().replace(/^x-/, '')).slice(-3).join(' ');
      const known = endings.some((each) => words === each || words.endsWith(` ${each}`));
      if (!known || value.length > 200 || /[<>\s]/.test(value)) return [];
      return [headerCandidate(name, value, score)];
    });
  const standard = shared.filter(([name]) => standardIds.has(name.toLowerCase()));
  const types = ending(typeEndings, 0.8);
  return {
    eventId: [
      ...standard.map(([name, value]) => headerCandidate(name, value, 0.9)),
      ...ending(idEndings, 0.65).map((id) => withType(id, types[0])),
    ],
    eventType: types,
  };
}

const headerCandidate = (name: string, value: string, score: number): Candidate => ({
  source: { header: name },
  path: `header ${name}`,
  example: value,
  score,
  evidence: [`the header ${name}`],
  leaf: null,
});

// One action may give several events with the same id and different types, so the type is added.
function withType(id: Candidate, type: Candidate | undefined): Candidate {
  if (type === undefined || !id.path.toLowerCase().endsWith('event-id')) return id;
  return {
    ...id,
    source: { join: [id.source, type.source], with: ':' },
    path: `${id.path} + ${type.path}`,
    example: `${String(id.example)}:${String(type.example)}`,
    evidence: [...id.evidence, 'with the type, since one action may give several events'],
  };
}
