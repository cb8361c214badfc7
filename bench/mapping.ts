/** Mapping on one core without I/O, beside JSON.parse of the same text. */
import { applyItem } from '../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../src/mapping/language/compile.ts';
import { readDedup } from '../src/mapping/evaluation/dedup-keys.ts';
import { createLead, leadMapping } from './data/lead.ts';
import { median } from './measure/statistics.ts';
import { printTable } from './measure/print-table.ts';

const rounds = 5;
const roundMs = 300;

/** Returns calls per second. The clock is read once for 100 calls. */
function speedOf(work: (index: number) => unknown): number {
  const startedMs = performance.now();
  let calls = 0;
  while (performance.now() - startedMs < roundMs) {
    for (let index = 0; index < 100; index += 1) work(index);
    calls += 100;
  }
  return (calls * 1_000) / (performance.now() - startedMs);
}

export function benchMapping(): void {
  const compiled = compileMapping(leadMapping);
  if (!compiled.ok) throw new Error(`The mapping is not valid: ${JSON.stringify(compiled)}`);
  const texts = Array.from({ length: 100 }, (_, index) => JSON.stringify(createLead(index)));
  const payloads = texts.map((text) => ({ body: JSON.parse(text), headers: {}, query: {} }));
  const payloadAt = (index: number) => payloads[index] ?? { body: null, headers: {}, query: {} };
  const first = applyItem(compiled.mapping, payloadAt(0), { defaultRegion: 'BR' });
  if (first.problems.length > 0) throw new Error(`The mapping fails: ${JSON.stringify(first)}`);

  const works: Readonly<Record<string, (index: number) => unknown>> = {
    'JSON.parse': (index) => JSON.parse(texts[index] ?? ''),
    'event id alone': (index) => readDedup([compiled.mapping], payloadAt(index)),
    'whole mapping': (index) =>
      applyItem(compiled.mapping, payloadAt(index), { defaultRegion: 'BR' }),
  };
  const speeds = new Map(Object.keys(works).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, work] of Object.entries(works)) speeds.get(name)?.push(speedOf(work));
  }
  const base = speeds.get('JSON.parse') ?? [];
  printTable(`Mapping, ${texts[0]?.length} bytes, one core, median of ${rounds} rounds`, [
    ['', 'per s', '÷ JSON.parse'],
    ...[...speeds].map(([name, ran]) => [
      name,
      median(ran).toFixed(0),
      median(ran.map((speed, index) => speed / (base[index] ?? speed))).toFixed(3),
    ]),
  ]);
}
