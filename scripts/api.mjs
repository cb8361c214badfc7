// `npm run api`: holds the OpenAPI document to its linter, and writes the client's types from it, and the schema of configuration
// files from the same schemas. With --check (as the tests run it) nothing is written, and a file that differs is an error.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApi } from 'swagger-typescript-api';
import { readArguments } from './lib/arguments.mjs';
import { buildIfChanged } from './lib/build/build.mjs';
import { formatText } from './lib/checks/format.mjs';
import { configurationSchema } from './lib/configuration-schema.mjs';
import { repository } from './lib/paths.mjs';
import { runCommand } from './lib/process/run-command.mjs';
import { exitCodeOf, print, printError, StepError } from './lib/output.mjs';

const target = 'client/operations.ts';
const schemaTarget = 'cli/configuration/inlet.schema.json';

const built = (/** @type {string} */ path) => import(join(repository, 'dist/src', path));

async function describe() {
  const [{ createOpenApiDocument }, { apiRoutes }, { mappingSchemas }] = await Promise.all(
    ['http/openapi/document.js', 'api/route-table.js', 'mapping/language/schema.js'].map(built),
  );
  /** Routes are data: what they would call is a stub. @type {object} */
  const stub = new Proxy(() => stub, { get: () => stub });
  return createOpenApiDocument(apiRoutes(stub), mappingSchemas);
}

/** @param {string} folder @param {unknown} document */
async function lint(folder, document) {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(document, null, 2));
  const tool = join(repository, 'node_modules/.bin/redocly');
  const args = [
    'lint',
    file,
    '--config',
    join(repository, 'redocly.yaml'),
    '--format',
    'codeframe',
  ];
  const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { code, output } = await runCommand(tool, args, { cwd: folder, env });
  if (code !== 0) throw new StepError(`The document breaks its rules.\n${output.trim()}`);
}

/** Keywords that no TypeScript type expresses, and descriptions that only repeat the name of the type. */
const untyped = new Set([
  'example',
  'examples',
  'default',
  'pattern',
  'format',
  'title',
  'propertyNames',
]);
const bounds = /^(?:minimum|maximum|(?:min|max)(?:Length|Items))$/;
const restated = new Set(['UTC.', 'A UUID.']);

/**
 * Returns a copy without those keywords. Names of properties and of schemas are kept whatever they are.
 * @param {unknown} value @returns {unknown}
 */
function withoutUntyped(value, areNames = false) {
  if (Array.isArray(value)) return value.map((item) => withoutUntyped(item));
  if (typeof value !== 'object' || value === null) return value;
  const isKept = (/** @type {[string, unknown]} */ [key, member]) =>
    areNames ||
    !(untyped.has(key) || bounds.test(key) || restated.has(/** @type {string} */ (member)));
  const members = Object.entries(value).filter(isKept);
  const hasNames = (/** @type {string} */ key) =>
    !areNames && (key === 'properties' || key === 'schemas');
  const kept = members.map(
    ([key, member]) => /** @type {const} */ ([key, withoutUntyped(member, hasNames(key))]),
  );
  return Object.fromEntries(areNames ? kept : kept.filter(([key, member]) => !isAny(key, member)));
}

/** Alternatives of which nothing is left, such as two formats of a string. @param {string} key @param {unknown} member */
const isAny = (key, member) =>
  /^(?:any|one|all)Of$/.test(key) &&
  Array.isArray(member) &&
  member.every((one) => Object.keys(one).length === 0);

/** @param {unknown} document */
async function typesOf(document) {
  const { files } = await generateApi({
    spec: /** @type {never} */ (withoutUntyped(document)),
    output: false,
    generateClient: false,
    generateRouteTypes: true,
    silent: true,
    templates: join(repository, 'client/templates'),
  });
  const [{ fileContent } = { fileContent: '' }] = files;
  const from = fileContent.indexOf('\nexport ');
  const head = '// Generated from the OpenAPI document by `npm run api`.\n\n';
  return formatText(target, head + fileContent.slice(from), { objectWrap: 'collapse' });
}

async function schemaOfConfiguration() {
  const [
    { channelKinds },
    { noticeTargetKinds },
    { noticeRules: rules },
    { targetFields },
    { webhookFields },
    { mappingSchemas },
    { webhookSettingsSchema: settings },
  ] = await Promise.all(
    [
      'channels/registry.js',
      'channels/notices/target-kinds.js',
      'domain/notices/rules.js',
      'api/notices/target-routes.js',
      'domain/webhooks/webhook.js',
      'mapping/language/schema.js',
      'api/webhooks/setting-routes.js',
    ].map(built),
  );
  const schema = configurationSchema({
    kinds: Object.values(channelKinds),
    targetKinds: Object.values(noticeTargetKinds),
    targetFields,
    webhookFields: webhookFields.properties,
    rules,
    settings,
    mapping: mappingSchemas('#/$defs/'),
  });
  return formatText(schemaTarget, JSON.stringify(schema));
}

/** @param {boolean} isCheck */
async function main(isCheck) {
  await buildIfChanged();
  const document = await describe();
  const folder = mkdtempSync(join(tmpdir(), 'inlet-api-'));
  try {
    await lint(folder, document);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const files = {
    [target]: await typesOf(document),
    [schemaTarget]: await schemaOfConfiguration(),
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(repository, name);
    if (!isCheck) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) {
      throw new StepError(`${name} is not what the API says.`, { advice: ['run npm run api'] });
    }
  }
}

try {
  const { values } = readArguments('npm run api [-- --check]', {
    options: { check: { type: 'boolean', default: false } },
  });
  const isCheck = values.check;
  await main(isCheck);
  print(
    isCheck
      ? 'The API document and its client are fine.'
      : 'The client and the schema of configuration files are written.',
  );
} catch (error) {
  printError(error);
  process.exit(exitCodeOf(error));
}
