import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

const root = join(import.meta.dirname, '..');

/** Who may import whom; every room may import `base`. */
const table: Readonly<Record<string, readonly string[]>> = {
  config: [],
  base: [],
  domain: [],
  mapping: ['domain'],
  producers: ['domain', 'mapping'],
  channels: ['domain', 'mapping'],
  store: ['domain'],
  queue: ['domain'],
  receiving: ['producers', 'mapping', 'store', 'queue', 'domain'],
  processing: ['mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  keeping: ['store', 'domain'],
  recovery: ['mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  admin: ['mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  inbox: ['mapping', 'producers', 'channels', 'store', 'queue', 'domain'],
  http: ['receiving', 'recovery', 'admin', 'inbox', 'domain'],
  workers: ['processing', 'recovery', 'queue', 'domain'],
  bench: ['mapping'],
};
const compositionRoots = [
  'src/server.ts',
  'src/migrate.ts',
  'src/secrets.ts',
  'src/resources.ts',
  'workers/main.ts',
];

/**
 * Which rooms may touch a library; the composition roots touch none of them either. The bench measures against a bare
 * Express application, and fills a database beyond what could be sent.
 */
const custody: Readonly<Record<string, readonly string[]>> = {
  express: ['http', 'bench'],
  mongoose: ['store', 'bench'],
  mongodb: ['store'],
  bullmq: ['queue', 'workers'],
  ioredis: ['queue', 'workers'],
  undici: ['channels'],
  axios: ['channels'],
};

function filesIn(folder: string): string[] {
  const path = join(root, folder);
  if (!statSync(path, { throwIfNoEntry: false })) return [];
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => normalize(join(folder, name)))
    .filter((name) => /\.tsx?$/.test(name));
}

const sources = ['src', 'workers', 'config', 'bench'].flatMap(filesIn);

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? second : first;
}

const importShape =
  /(?:import|export)\s[^;]*?from\s+'([^']+)'|import\('([^']+)'\)|^import '([^']+)'/gm;

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(importShape)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

const inside = (file: string, target: string) =>
  relative(root, join(root, dirname(file), target)).replaceAll('\\', '/');

const ownImports = new Map(
  sources.map((file) => [
    file,
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => inside(file, name)),
  ]),
);

// The console is a house of its own, with rooms of its own.

/** Who may import whom in web/; `client` is the typed client of the API, which the server's code does not know. */
const webTable: Readonly<Record<string, readonly string[]>> = {
  words: [],
  session: [],
  api: ['session', 'words', 'client'],
  ui: ['api', 'words'],
  shell: ['ui', 'session', 'words'],
  // Asks before there is a session that the others could ask in.
  'screens/sign-in': ['client'],
  'screens/dead-letters': ['screens/events'],
  'screens/setup': ['screens/mapping'],
  'screens/webhooks': ['screens/webhook'],
  // What the mapping screen is made of, apart because it is many.
  mapping: ['ui', 'api', 'session', 'words'],
  'screens/mapping': ['mapping', 'screens/expert'],
  'screens/versions': ['screens/expert'],
};
const ofEveryScreen = ['ui', 'api', 'session', 'words'];
const webRoots = ['web/src/main.tsx', 'web/src/app.tsx', 'web/src/screens.tsx'];
const webSources = filesIn('web/src');

function webRoomOf(file: string): string {
  const [house = '', , first = '', second = ''] = file.split('/');
  if (house !== 'web') return house;
  return first === 'screens' ? `screens/${second}` : first;
}

const webImportsOf = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => inside(file, name));

test('a room of the console imports only what its table allows, and nothing of the server', () => {
  expect(webSources.length).toBeGreaterThan(40);
  const breaches = webSources.flatMap((file) => {
    const room = webRoomOf(file);
    const isRoot = webRoots.includes(file);
    const isScreen = room.startsWith('screens/');
    const allowed = new Set([room, ...(isScreen ? ofEveryScreen : []), ...(webTable[room] ?? [])]);
    return webImportsOf(file)
      .filter((target) => (isRoot ? !target.startsWith('web/') : !allowed.has(webRoomOf(target))))
      .map((target) => `${file} → ${target}`);
  });
  expect(breaches).toEqual([]);
});

test('there is something to hold', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect([...ownImports.values()].flat().length).toBeGreaterThan(100);
  expect(importsOf('src/server.ts')).toContain('./resources.ts');
});

test('every room stands in the table', () => {
  const rooms = new Set(sources.filter((file) => !compositionRoots.includes(file)).map(roomOf));
  expect([...rooms].filter((room) => !(room in table))).toEqual([]);
});

test('a room imports only what the table allows', () => {
  const breaches = [...ownImports].flatMap(([file, targets]) => {
    if (compositionRoots.includes(file)) return [];
    const room = roomOf(file);
    const allowed = new Set([room, ...(room === 'config' ? [] : ['base']), ...(table[room] ?? [])]);
    return targets
      .filter((target) => !allowed.has(roomOf(target)))
      .map((target) => `${file} → ${target}`);
  });
  expect(breaches).toEqual([]);
});

test('a library is touched only by the room that has custody of it', () => {
  const breaches = sources.flatMap((file) =>
    importsOf(file)
      .map((name) => name.split('/', 1)[0] ?? '')
      .filter((name) => custody[name] && !custody[name].includes(roomOf(file)))
      .map((name) => `${file} → ${name}`),
  );
  expect(breaches).toEqual([]);
});

test.each([
  ['the server and the worker', sources],
  ['the console', webSources],
])('no imports run in a circle: %s', (_house, files) => {
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file) || !/\.tsx?$/.test(file)) return;
    for (const target of valueImportsOf(file)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  expect(circles).toEqual([]);
});

/** Imports of types alone vanish when the types are stripped. */
function valueImportsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(
    /import type\s[^;]*?from\s+'[^']+';/g,
    '',
  );
  return [...text.matchAll(importShape)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .filter((name) => name.startsWith('.'))
    .map((name) => inside(file, name));
}

test('the environment is read in config alone', () => {
  const readers = sources.filter(
    (file) =>
      roomOf(file) !== 'bench' &&
      /process\s*\.\s*env|process\[/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(readers.filter((file) => roomOf(file) !== 'config')).toEqual([]);
});

test('files stay within their limits, and folders within two levels', () => {
  const lines = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  const limitOf = (file: string) => (roomOf(file) === 'workers' ? 120 : 400);
  expect([...sources, ...webSources].filter((file) => lines(file) > limitOf(file))).toEqual([]);
  expect(sources.filter((file) => file.split('/').length > 4)).toEqual([]);
  expect(webSources.filter((file) => file.split('/').length > 5)).toEqual([]);
});

test('the linter holds the limits of functions and files', () => {
  const { rules } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8'));
  expect(rules['eslint/max-lines']).toEqual(['error', { max: 400 }]);
  expect(rules['eslint/max-lines-per-function']).toEqual(['error', { max: 80 }]);
  expect(rules['eslint/max-params']).toEqual(['error', { max: 3 }]);
  expect(rules['typescript/no-floating-promises']).toBe('error');
});

test('names are kebab-case and say what is inside', () => {
  const vague = /^(utils?|helpers?|common|manager|impl|misc|shared|index)$/;
  const names = [...sources, ...webSources]
    .map(
      (file) =>
        file
          .split('/')
          .at(-1)
          ?.replace(/\.tsx?$/, '') ?? '',
    )
    .filter((name) => name !== 'pt-BR'); // a language, as the standard writes it
  expect(
    names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || vague.test(name)),
  ).toEqual([]);
});
