// The whole document. `npm run api -- --check` checks it with the linter, and checks the generated client.
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { documentOfStubs, stubbedRoutes } from '../../support/openapi/document.ts';

type Json = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema?: Json; readonly example?: unknown }>>;
type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Json };
  readonly tags: readonly { readonly name: string }[];
};

const document = documentOfStubs() as unknown as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('every route is an operation', () => {
  const listed = new Set(operations.map(({ path, method }) => `${method} ${path}`));
  const missing = stubbedRoutes()
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    .filter((name) => !listed.has(name));
  expect(missing).toEqual([]);
});

test('every operation has a unique name and a described tag', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z]+(?:[A-Z][a-z]*)+$/.test(id))).toEqual([]);
  const explained = new Set(document.tags.map(({ name }) => name));
  expect(operations.filter(({ operation }) => !explained.has(operation.tags[0] ?? ''))).toEqual([]);
});

test('no schema has two names in the document', () => {
  const shapes = Object.entries(document.components.schemas).map(
    ([name, schema]) => [JSON.stringify(schema), name] as const,
  );
  expect(new Set(shapes.map(([, name]) => name)).size).toBe(shapes.length);
});

/** Request bodies and successes; errors share one example each. */
const examples = operations.flatMap(({ operation }) => {
  const { operationId, requestBody, responses } = operation;
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const contents = [
    ['body', requestBody?.content],
    ...successes.map(([status, { content }]) => [status, content] as const),
  ] as const;
  return contents.flatMap(([where, content = {}]) =>
    Object.entries(content)
      .filter(([type]) => type === 'application/json')
      .map(([, { schema, example }]) => ({ name: `${operationId} ${where}`, schema, example })),
  );
});

test('every body and every answer has an example that matches its schema', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ $id: 'document', components: document.components });
  const inDocument = (schema: unknown): unknown =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  const isReceipt = (name: string) => name.startsWith('getReceipt');
  const wrong = examples
    .filter(({ name }) => !isReceipt(name))
    .flatMap(({ name, schema, example }) => {
      const check = ajv.compile(inDocument(schema) as Json);
      return check(example) ? [] : [`${name}: ${ajv.errorsText(check.errors)}`];
    });
  expect(examples.length).toBeGreaterThan(80);
  expect(wrong).toEqual([]);
});
