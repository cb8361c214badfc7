/** Event ids and types that travel in headers. */
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
const typeEndings = ['topic', 'event', 'event type', 'event name', 'event key'];

/** By the names that all samples carry. */
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
  const standard = shared.filter(([name]) => name.toLowerCase() === 'webhook-id');
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

/** One action of a person may give several events, of different types, one id. */
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
