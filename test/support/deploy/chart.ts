// The chart of deploy/helm, rendered by Go's template engine. Helm itself does not run here.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { repository } from '../../../scripts/lib/paths.mjs';
import { requiredEnv } from '../services/services.ts';
import type { Manifest } from './manifests.ts';

export type Values = { readonly [name: string]: unknown };

const chart = join(repository, 'deploy/helm/inlet');
const read = (path: string) => readFileSync(join(chart, path), 'utf8');
const renderer = join(import.meta.dirname, 'render-chart.go');

export const description = parse(read('Chart.yaml')) as Readonly<Record<string, string>>;
export const defaults = parse(read('values.yaml')) as Values;
const isValid = new Ajv({ strict: false, allErrors: true }).compile(
  JSON.parse(read('values.schema.json')) as object,
);

const isMap = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm does: maps are merged, all else is replaced, and null removes. */
export function mergeValues(base: Values, given: Values): Values {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(given)) {
    const before = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isMap(value) && isMap(before) ? mergeValues(before, value) : value;
  }
  return merged;
}

/** The places in the values at which the schema refuses them. */
export function refusalsOf(given: Values): string[] {
  isValid(mergeValues(defaults, given));
  return [...new Set((isValid.errors ?? []).map(({ instancePath }) => instancePath))];
}

/** Compiles the renderer. */
export function createChartRenderer() {
  const folder = mkdtempSync(join(tmpdir(), 'inlet-test-chart-'));
  const program = join(folder, 'render');
  execFileSync(requiredEnv('INLET_TEST_GO'), ['build', '-o', program, renderer], {
    env: { ...process.env, GO111MODULE: 'off', GOTOOLCHAIN: 'local', GOFLAGS: '' },
  });
  /** The objects of a release, in the order of the files. */
  const render = (given: Values = {}, name = 'inlet', revision = 1): Manifest[] => {
    const input = JSON.stringify({
      folder: chart,
      context: contextOf(given, name, revision),
      files: { 'files/inlet-rules.yaml': read('files/inlet-rules.yaml') },
    });
    const output = execFileSync(program, { encoding: 'utf8', input });
    return Object.values(JSON.parse(output) as Record<string, string>).flatMap(objectsOf);
  };
  return {
    render,
    close: () => rmSync(folder, { recursive: true }),
  };
}

const contextOf = (given: Values, name: string, revision: number) => ({
  Values: mergeValues(defaults, given),
  Chart: {
    Name: description.name,
    Version: description.version,
    AppVersion: description.appVersion,
  },
  Release: { Name: name, Namespace: 'inlet', Revision: revision, Service: 'Helm' },
});

const objectsOf = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    const manifest = document.toJS() as Manifest | null;
    return manifest === null ? [] : [manifest];
  });
