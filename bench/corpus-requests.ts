/** Mapping the largest requests of real producers, and the heap while a million events are mapped. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyItem, splitItems } from '../src/mapping/evaluation/apply.ts';
import { compileMapping, type CompiledMapping } from '../src/mapping/language/compile.ts';
import { suggestMapping } from '../suggest/suggest.ts';
import { createLead, leadMapping } from './data/lead.ts';
import { printTable } from './measure/print-table.ts';

const folder = join(process.cwd(), 'suggest/corpora/corpus');
const largest = 10;
const roundMs = 300;
const options = { defaultRegion: 'BR' };

type Request = { readonly name: string; readonly body: unknown; readonly bytes: number };

function largestRequests(): Request[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { body } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { body: unknown };
      return { name: name.replace('.json', ''), body, bytes: JSON.stringify(body ?? '').length };
    })
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, largest);
}

function compiled(document: unknown): CompiledMapping {
  const result = compileMapping(document);
  if (!result.ok) throw new Error(`A mapping does not compile: ${JSON.stringify(result.problems)}`);
  return result.mapping;
}

/** Returns items per second. A body with a split counts once for each item. */
function itemsPerSecond(mapping: CompiledMapping, body: unknown): number {
  const payload = { body, headers: {}, query: {} };
  const startedMs = performance.now();
  let items = 0;
  while (performance.now() - startedMs < roundMs) {
    const split = splitItems(mapping, payload);
    for (const item of split.ok ? split.items : []) {
      applyItem(mapping, payload, { ...options, ...(mapping.splits && { item }) });
      items += 1;
    }
  }
  return (items * 1_000) / (performance.now() - startedMs);
}

export function benchCorpusRequests(): void {
  const rows = largestRequests().map(({ name, body, bytes }) => {
    const mapping = compiled(suggestMapping([{ body, headers: {}, query: {} }], options).mapping);
    return [name, String(bytes), itemsPerSecond(mapping, body).toFixed(0)];
  });
  printTable('The largest requests of the corpus, by the mapping suggested for each', [
    ['', 'bytes', 'items per s'],
    ...rows,
  ]);
  printTable('Heap while a million leads are mapped', [
    ['events', 'MB'],
    ...heapOverAMillion().map(([events, bytes]) => [events, (bytes / 1_048_576).toFixed(1)]),
  ]);
}

/** Returns the heap after each 250,000 events. It is collected before each reading when node runs with --expose-gc. */
function heapOverAMillion(): [string, number][] {
  const mapping = compiled(leadMapping);
  const readings: [string, number][] = [];
  for (let events = 0; events <= 1_000_000; events += 1) {
    if (events % 250_000 === 0) {
      globalThis.gc?.();
      readings.push([events.toLocaleString('en'), process.memoryUsage().heapUsed]);
    }
    applyItem(mapping, { body: createLead(events), headers: {}, query: {} }, options);
  }
  return readings;
}
