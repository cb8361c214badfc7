import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { computeSuggestion } from '../../../src/api/mappings/compute-suggestion.ts';
import type { ComputeReply, ComputeRequest } from '../../../src/api/mappings/computer.ts';
import { createTaskThread } from '../../../src/base/process/task-thread.ts';
import { createWorkBudget } from '../../../src/mapping/expressions/work-budget.ts';
import { maxWorkPerRequest } from '../../../src/mapping/work-limits.ts';
import { createDecodeThread } from '../../../src/producers/decode-thread/decode-thread.ts';
import { producerOf } from '../../../src/producers/registry.ts';

const read = (path: string) => readFileSync(join(repository, 'dist/bin', path), 'utf8');

test.each([
  ['server', 'src/server.ts'],
  ['worker', 'workers/main.ts'],
])('stack traces of the bundled %s name lines of %s', (role, source) => {
  const lines = read(`${role}.js`).split('\n');
  const line = lines.findIndex((text) => text.startsWith('async function main'));
  const map = new SourceMap(JSON.parse(read(`${role}.js.map`)));
  const entry = map.findEntry(line, 'async function '.length);
  if (!('originalSource' in entry)) throw new Error(`The map has no entry for line ${line}`);
  expect(join(repository, 'dist/bin', entry.originalSource)).toBe(join(repository, source));
  const original = readFileSync(join(repository, source), 'utf8').split('\n');
  expect(original[entry.originalLine]).toContain('async function main(');
});

test('the bundled thread decodes large bodies as the sources do', async () => {
  const thread = createDecodeThread({ file: join(repository, 'dist/bin/decoder.js') });
  try {
    const raw = { contentType: 'text/xml', body: Buffer.from('<a><b>1</b><b>2</b></a>') };
    const { decoded } = await thread.decode('generic', raw);
    expect(decoded).toEqual(producerOf('generic').decodeBody(raw));
    expect(decoded.ok).toBe(true);
  } finally {
    await thread.close();
  }
});

test('the bundled thread computes a suggestion as the sources do', async () => {
  const file = join(repository, 'dist/bin/computer.js');
  const options = { name: 'computation', file, deadlineMs: 60_000, maxHeapMb: 512 };
  const thread = createTaskThread<ComputeRequest, ComputeReply>(options);
  const [payloads, given] = [[{ rawBody: '{"lead":{"name":"Ana"}}' }], { profile: 'generic' }];
  const task = { ...given, payloads, samples: [], region: 'BR', isOfChannel: false };
  try {
    const reply = await thread.run({ kind: 'suggestion', task });
    const budget = createWorkBudget(maxWorkPerRequest);
    expect(reply).toEqual({
      ok: true,
      result: computeSuggestion(task, budget),
      units: maxWorkPerRequest - budget.remaining,
    });
  } finally {
    await thread.close();
  }
});

test('no map of the packages is read at start', () => {
  expect(read('packages.source.js')).not.toContain('sourceMappingURL');
});

// In a process of its own: Node refuses compiled code where V8 has other options, and a test file may have set one.
test('Node accepts the compiled code of the packages', () => {
  const isRefused = `
    const { readFileSync } = require('node:fs');
    const source = require('node:module').wrap(readFileSync('packages.source.js', 'utf8'));
    const { cachedDataRejected } = new (require('node:vm').Script)(source, { cachedData: readFileSync('packages.cache') });
    process.stdout.write(String(cachedDataRejected));`;
  const options = { cwd: join(repository, 'dist/bin'), encoding: 'utf8' } as const;
  expect(execFileSync(process.execPath, ['--eval', isRefused], options)).toBe('false');
});

test.each([
  ['no compiled code', undefined],
  ['compiled code of another Node', Buffer.alloc(64)],
])('packages are loaded with %s', (_name, compiled) => {
  const folder = mkdtempSync(join(tmpdir(), 'inlet-packages-'));
  try {
    const loader = join(folder, 'packages.cjs');
    copyFileSync(join(repository, 'scripts/lib/build/load-packages.cjs'), loader);
    writeFileSync(join(folder, 'packages.source.js'), 'exports.answer = require("node:os").EOL;');
    if (compiled) writeFileSync(join(folder, 'packages.cache'), compiled);
    expect(createRequire(loader)(loader)).toEqual({ answer: '\n' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The files that a role loads at its start. */
function filesAtStart(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = read(file).matchAll(/^(?:const \w+ = )?require\("\.\/([\w-]+\.js)"\);$/gm);
  for (const [, name = ''] of imports) filesAtStart(name, found);
  return found;
}

test.each(['server', 'worker'])('the %s loads the packages of tracing only on demand', (role) => {
  const files = filesAtStart(`${role}.js`);
  expect([...files]).toEqual(expect.arrayContaining(['packages.js', 'connection.js']));
  expect([...files]).not.toEqual(expect.arrayContaining(['tracing.js']));
  expect([...files]).not.toEqual(expect.arrayContaining(['otlp.js']));
  expect(filesAtStart('otlp.js').has('tracing.js')).toBe(true);
});
