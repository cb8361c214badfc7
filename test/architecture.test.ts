import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Which modules a module may import. Every module may also import `base`. */
const table: Readonly<Record<string, readonly string[]>> = {
  config: [],
  base: [],
  domain: [],
  mapping: ['domain'],
  producers: ['domain', 'mapping'],
  channels: ['domain', 'mapping'],
  store: ['domain'],
  queue: ['domain'],
  context: ['producers', 'store', 'queue', 'domain'],
  receiving: ['producers', 'mapping', 'store', 'queue', 'domain'],
  processing: ['mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  delivery: ['channels', 'store', 'queue', 'domain'],
  maintenance: ['context', 'mapping', 'store', 'domain'],
  notices: ['context', 'mapping', 'channels', 'delivery', 'store', 'domain'],
  recovery: ['context', 'mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  erasure: ['context', 'mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  suggest: ['mapping', 'domain'],
  http: ['receiving', 'domain'],
  api: [
    'context',
    'recovery',
    'http',
    'suggest',
    'mapping',
    'producers',
    'channels',
    'store',
    'queue',
    'domain',
  ],
  workers: ['processing', 'recovery', 'queue', 'domain'],
  bench: ['mapping', 'suggest'],
};
/** The entry points, and the composition that they share with the tests. */
const isCompositionRoot = (file: string): boolean =>
  file.startsWith('src/assemble/') ||
  [
    'src/inlet.ts',
    'src/server.ts',
    'src/migrate.ts',
    'src/rotate-secrets.ts',
    'workers/main.ts',
  ].includes(file);

/**
 * Which modules may import a library; composition roots import none of them. The bench compares with an Express
 * application and a BullMQ worker, and fills a database beyond what could be sent.
 */
const custody: Readonly<Record<string, readonly string[]>> = {
  express: ['http', 'bench'],
  mongoose: ['store', 'bench'],
  mongodb: ['store'],
  bullmq: ['queue', 'workers', 'bench'],
  ioredis: ['queue', 'workers'],
  undici: ['channels'],
  axios: ['channels'],
  nodemailer: ['channels'],
  '@opentelemetry': ['base'],
};

const code = /\.(?:tsx?|m?js)$/;

function filesIn(folder: string, extensions = /\.tsx?$/): string[] {
  const path = join(root, folder);
  if (!statSync(path, { throwIfNoEntry: false })) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => normalize(join(folder, name)))
    .filter((name) => extensions.test(name));
}

const sources = ['src', 'suggest', 'workers', 'config', 'bench']
  .flatMap((folder) => filesIn(folder))
  .filter((file) => !/^suggest\/(?:corpora|fitting|test)\//.test(file));

function moduleOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second : first;
}

const importShape =
  /(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|^import '([^']+)'/gm;

const specifiersOf = (text: string): string[] =>
  [...text.matchAll(importShape)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const importsOf = (file: string): string[] => specifiersOf(textOf(file));

/** Paths from the root of the repository. */
const ownImportsOf = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)).replaceAll('\\', '/'));

const ownImports = new Map(sources.map((file) => [file, ownImportsOf(file)]));

/** Which modules of the console a module may import. `client` is the typed client of the API. */
const webTable: Readonly<Record<string, readonly string[]>> = {
  i18n: [],
  session: [],
  api: ['session', 'i18n', 'client'],
  ui: ['api', 'i18n'],
  shell: ['ui', 'api', 'session', 'i18n'],
  mapping: ['ui', 'api', 'session', 'i18n'],
  // The sign-in screen asks the API before a session exists, and links to its page of the documentation.
  'screens/sign-in': ['client', 'shell'],
  'screens/contact': ['screens/contacts', 'screens/erasures'],
  'screens/conflicts': ['screens/contacts', 'screens/contact'],
  'screens/erasures': ['screens/contacts', 'screens/contact'],
  'screens/chat': ['screens/contacts'],
  'screens/inbox': ['screens/chat'],
  'screens/event-table': ['screens/repair'],
  'screens/events': ['screens/event-table'],
  'screens/event': ['screens/event-table', 'screens/erasures'],
  'screens/dead-letters': ['screens/events', 'screens/event', 'screens/repair'],
  'screens/repair': ['mapping'],
  'screens/setup': ['screens/setup-steps'],
  'screens/setup-steps': ['screens/mapping'],
  'screens/notices': ['screens/channels'],
  'screens/webhooks': ['screens/webhook'],
  'screens/mapping': ['mapping', 'screens/expert', 'screens/repair', 'screens/versions'],
  'screens/versions': ['screens/expert', 'screens/repair', 'screens/version-comparison'],
};
const everyScreenImports = ['ui', 'api', 'session', 'i18n'];
/** The command line uses the API as any other client does. */
const commandSources = filesIn('cli');
const webRoots = ['web/src/main.tsx', 'web/src/app.tsx', 'web/src/screens.tsx'];
const webSources = filesIn('web/src');

function webModuleOf(file: string): string {
  const [top = '', , first = '', second = ''] = file.split('/');
  if (top !== 'web') return top;
  return first === 'screens' ? `screens/${second}` : first;
}

test('the tests below see the sources', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(webSources.length).toBeGreaterThan(40);
  expect([...ownImports.values()].flat().length).toBeGreaterThan(100);
  expect(importsOf('src/server.ts')).toContain('./assemble/receiver.ts');
});

test('every module is in the table', () => {
  const modules = new Set(sources.filter((file) => !isCompositionRoot(file)).map(moduleOf));
  expect([...modules].filter((module) => !(module in table))).toEqual([]);
});

test('a module imports only what the table allows', () => {
  const breaches = [...ownImports].flatMap(([file, targets]) => {
    if (isCompositionRoot(file)) return [];
    const module = moduleOf(file);
    const allowed = new Set([module, 'base', ...(table[module] ?? [])]);
    return targets
      .filter((target) => !allowed.has(moduleOf(target)))
      .map((target) => `${file} → ${target}`);
  });
  expect(breaches).toEqual([]);
});

test('a module of the console imports only what its table allows, and nothing of the server', () => {
  const breaches = webSources.flatMap((file) => {
    const module = webModuleOf(file);
    const isScreen = module.startsWith('screens/');
    const screenImports = isScreen ? everyScreenImports : [];
    const allowed = new Set([module, ...screenImports, ...(webTable[module] ?? [])]);
    const isAllowed = (target: string) =>
      webRoots.includes(file) ? target.startsWith('web/') : allowed.has(webModuleOf(target));
    return ownImportsOf(file)
      .filter((target) => !isAllowed(target))
      .map((target) => `${file} → ${target}`);
  });
  expect(breaches).toEqual([]);
});

test('the command line imports only the client, and neither imports anything else of ours', () => {
  const allowed = (target: string) =>
    ['cli', 'client'].includes(moduleOf(target)) || target === 'package.json';
  const breaches = [...commandSources, ...filesIn('client')].flatMap((file) =>
    ownImportsOf(file)
      .filter(
        (target) => !allowed(target) || (moduleOf(file) === 'client' && moduleOf(target) === 'cli'),
      )
      .map((target) => `${file} → ${target}`),
  );
  expect(breaches).toEqual([]);
  expect(commandSources.length).toBeGreaterThan(15);
});

test('only the module that has custody of a library imports it', () => {
  const breaches = sources.flatMap((file) =>
    importsOf(file)
      .map((name) => name.split('/', 1)[0] ?? '')
      .filter((name) => custody[name] && !custody[name].includes(moduleOf(file)))
      .map((name) => `${file} → ${name}`),
  );
  expect(breaches).toEqual([]);
});

test('OpenTelemetry is loaded only on demand: one file imports it, and nothing imports that file statically', () => {
  const loads = (file: string) =>
    importsOf(file).some((name) => name.startsWith('@opentelemetry/'));
  const tracing = 'src/base/observability/otlp.ts';
  expect(sources.filter(loads)).toEqual([tracing]);
  const importers = sources.filter((file) => ownImports.get(file)?.includes(tracing));
  expect(importers).toEqual(['src/assemble/tracing.ts']);
  expect(textOf('src/assemble/tracing.ts')).not.toMatch(/from '[^']*\/otlp\.ts'/);
});

test('only the composition constructs stores, the queue, caches and the tickers of a process', () => {
  const shape =
    /\b(?:create(?:Stores|EventQueue|StoredBodies|WebhookCache|DefinitionCache|EffectiveMappings|Recorder)|start(?:Runs|Sweeper|Erasure|Dispatcher|StatsCounter|Maintenance))\(/;
  const calls = (file: string) =>
    textOf(file)
      .replaceAll(/^export (?:async )?function.*$/gm, '')
      .match(shape) !== null;
  const constructors = sources.filter((file) => moduleOf(file) !== 'bench' && calls(file));
  expect(constructors.filter((file) => !isCompositionRoot(file))).toEqual([]);
  expect(constructors).toContain('src/assemble/resources.ts');
});

test('only these files open outbound connections', () => {
  const network = /^import \{([^}]*)\} from 'node:(?:https?|http2|net|tls|dgram|dns)';/gm;
  const harmless = /^(?:type .*|createServer|isIP|STATUS_CODES|)$/;
  const connects = (text: string) =>
    /\bfetch\(|\bnew (?:WebSocket|EventSource)\(/.test(text) ||
    /import\('node:(?:http|net|tls|dgram|dns)/.test(text) ||
    [...text.matchAll(network)].some(([, names = '']) =>
      names.split(',').some((name) => !harmless.test(name.trim())),
    );
  const connecting = sources.filter((file) => moduleOf(file) !== 'bench' && connects(textOf(file)));
  expect(connecting.toSorted()).toEqual([
    'src/channels/http/send-request.ts',
    'src/channels/smtp/send-mail.ts',
    'src/channels/ssrf-guard.ts',
  ]);
});

test.each([
  ['the server and the worker', sources],
  ['the console', webSources],
  ['the command line', [...commandSources, ...filesIn('client')]],
  ['the scripts', filesIn('scripts', /\.mjs$/)],
  ['the tests', [...filesIn('test', code), ...filesIn('suggest', code)]],
])('imports form no cycle, type imports included: %s', (_name, files) => {
  const cycles: string[] = [];
  const known = new Set(files);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file) || !known.has(file)) return;
    for (const target of ownImportsOf(file)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(cycles).toEqual([]);
});

test('only config reads the environment', () => {
  const readers = sources.filter(
    (file) => moduleOf(file) !== 'bench' && /process\s*\.\s*env|process\[/.test(textOf(file)),
  );
  expect(readers.filter((file) => moduleOf(file) !== 'config')).toEqual([]);
});

test('files stay within their limits, and folders within two levels', () => {
  const lines = (file: string) => textOf(file).split('\n').length - 1;
  const limitOf = (file: string) => (moduleOf(file) === 'workers' ? 120 : 400);
  expect(
    [...sources, ...webSources, ...commandSources].filter((file) => lines(file) > limitOf(file)),
  ).toEqual([]);
  expect(sources.filter((file) => file.split('/').length > 4)).toEqual([]);
  expect(webSources.filter((file) => file.split('/').length > 5)).toEqual([]);
  expect(commandSources.filter((file) => file.split('/').length > 3)).toEqual([]);
});

test('the linter holds the limits of functions and files', () => {
  const { rules } = JSON.parse(textOf('.oxlintrc.json'));
  expect(rules['eslint/max-lines']).toEqual(['error', { max: 400 }]);
  expect(rules['eslint/max-lines-per-function']).toEqual(['error', { max: 80 }]);
  expect(rules['eslint/max-params']).toEqual(['error', { max: 3 }]);
  expect(rules['typescript/no-floating-promises']).toBe('error');
});

test('file names are kebab-case and specific', () => {
  const vague = /^(utils?|helpers?|common|manager|impl|misc|shared|index)$/;
  const nameOf = (file: string) =>
    file
      .split('/')
      .at(-1)
      ?.replace(/\.tsx?$/, '') ?? '';
  const names = [...sources, ...webSources, ...commandSources]
    .map(nameOf)
    .filter((name) => name !== 'pt-BR');
  expect(
    names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || vague.test(name)),
  ).toEqual([]);
});
