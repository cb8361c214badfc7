/** Suggesting a mapping from one payload of 100 kB, beside JSON.parse of the text. A user waits for it. */
import { suggestMapping } from '../suggest/suggest.ts';
import { median } from './measure/statistics.ts';
import { printTable } from './measure/print-table.ts';

const rounds = 15;
const maxMedianMs = 50;
const size = 100_000;

/** Returns as many elements as make 100 kB. */
function fill(makeOne: (index: number) => unknown): unknown[] {
  const items: unknown[] = [];
  for (let length = 0; length < size; length += JSON.stringify(items.at(-1)).length + 1) {
    items.push(makeOne(items.length));
  }
  return items;
}

const lead = (index: number) => ({
  id: index,
  nome: 'Ana Exemplo',
  telefone: `(11) 9${String(index).padStart(4, '0')}-0001`,
  email: `ana${index}@example.com`,
  mensagem: 'Quero saber o preço do plano anual.',
  criado_em: '2026-01-06T12:00:00Z',
});

const payloads: Readonly<Record<string, unknown>> = {
  'a batch of leads': { leads: fill(lead) },
  'a list of answers': {
    answers: fill((index) => ({
      id: `q${index}`,
      question: `Pergunta ${index}: qual o seu telefone?`,
      answer: `(11) 9${String(index).padStart(4, '0')}-0001`,
    })),
  },
  'a wide object': {
    contact: lead(0),
    ...Object.fromEntries(
      fill((index) => [`custom_field_${index}`, `valor ${index}`]) as [string, unknown][],
    ),
  },
  'records of people by their ids': {
    event: 'sync',
    people: Object.fromEntries(
      (fill(lead) as object[]).map((each, index) => [
        `p${index}`,
        { ...each, empresa: { nome: `Empresa ${index}`, telefone: '(11) 3000-0000' } },
      ]),
    ),
  },
  'an order of many parts': { customer: lead(0), line_items: fill(lead) },
};

export function benchSuggest(): void {
  const rows = Object.entries(payloads).map(([name, body]) => {
    const text = JSON.stringify(body);
    const payload = { body, headers: {}, query: {} };
    const suggestMs = timesOf(() => suggestMapping([payload]));
    return [
      name,
      String(text.length),
      median(suggestMs).toFixed(1),
      median(timesOf(() => JSON.parse(text))).toFixed(1),
    ];
  });
  printTable(
    `Suggesting a mapping, one core, median of ${rounds} rounds, at most ${maxMedianMs} ms`,
    [['', 'bytes', 'ms', 'JSON.parse ms'], ...rows],
  );
}

function timesOf(work: () => unknown): number[] {
  return Array.from({ length: rounds }, () => {
    const startedMs = performance.now();
    work();
    return performance.now() - startedMs;
  });
}
