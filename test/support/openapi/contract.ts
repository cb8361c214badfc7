/**
 * Checks against the OpenAPI document: the valid requests of each operation, requests that it must reject, and whether an
 * answer conforms to the document.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { RequiredScope } from '../../../src/domain/access/token.ts';

export type Json = Readonly<Record<string, unknown>>;
type Header = { readonly required?: boolean; readonly schema: Json };
type Response = {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, unknown>>;
};
type Parameter = { readonly name: string; readonly in: string; readonly schema: Json };
type Described = {
  readonly operationId: string;
  readonly 'x-scope'?: RequiredScope;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema?: Json; example?: Json }>>;
  };
  readonly responses: Readonly<Record<string, Response>>;
};

export type Operation = {
  readonly name: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Undefined for operations without a token. */
  readonly scope: RequiredScope | undefined;
  readonly query: readonly Parameter[];
  readonly headers: readonly string[];
  readonly bodyTypes: readonly string[];
  readonly bodySchema: Json | undefined;
  readonly bodyExample: Json;
  readonly responses: Readonly<Record<string, Response>>;
  readonly pointer: string;
};

export type CheckedAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

const inPointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));

export function operationsOf(document: Json): Operation[] {
  const paths = document['paths'] as Readonly<Record<string, Readonly<Record<string, Described>>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const { parameters = [], requestBody, responses } = described;
      const content = requestBody?.content ?? {};
      return {
        name: described.operationId,
        method: method.toUpperCase(),
        path,
        scope: described['x-scope'],
        query: parameters.filter((one) => one.in === 'query'),
        headers: parameters.filter((one) => one.in === 'header').map(({ name }) => name),
        bodyTypes: Object.keys(content),
        bodySchema: content['application/json']?.schema,
        bodyExample: content['application/json']?.example ?? {},
        responses,
        pointer: `#/paths/${inPointer(path)}/${method}/responses`,
      };
    }),
  );
}

/** The document with shared responses resolved into each operation. */
export function withResponses(document: unknown): object {
  const { components } = document as { components: { responses: Json } };
  const whole = JSON.stringify(document).replaceAll(
    /\{"\$ref":"#\/components\/responses\/([\w-]+)"\}/g,
    (_all, name: string) => JSON.stringify(components.responses[name]),
  );
  return JSON.parse(whole) as object;
}

/** Values of every type; a schema accepts only some. */
const oddValues = [12.5, true, 'no such thing', { noSuchField: 1 }, [['x']], null];
const oddTexts = ['no such thing', '0', '-1', ''];

export function createContractChecker(document: Json) {
  // Most schemas check one value: optimizing their code takes longer than running it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema(document, 'api');
  const compiled = new Map<string, ValidateFunction>();
  const checkOf = (schema: Json): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"api#/');
    const check = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json);
    compiled.set(text, check);
    return check;
  };
  const at = (pointer: string): ValidateFunction => checkOf({ $ref: pointer });
  const inDocument = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((found, part) => (found as Json)[part], document);
  const holds = (schema: Json, value: unknown): boolean => checkOf(schema)(value) as boolean;
  const resolved = (schema: Json): Json =>
    typeof schema['$ref'] === 'string' ? (inDocument(schema['$ref']) as Json) : schema;

  function bodyProblems(pointer: string, value: unknown): string[] {
    const check = at(pointer);
    return check(value) ? [] : [`${ajv.errorsText(check.errors)} in ${JSON.stringify(value)}`];
  }

  /** A 405 is not repeated for every operation: it is an error like the others, with what is allowed. */
  function problemsOfMethod({ method }: Operation, { headers, text }: CheckedAnswer): string[] {
    const allowed = (headers.get('allow') ?? '').split(', ');
    return [
      ...bodyProblems('#/components/schemas/Error', JSON.parse(text)),
      ...(allowed.includes(method) ? [] : [`${method} is not in Allow`]),
    ];
  }

  /** The differences between the answer and the document. */
  function problemsOf(operation: Operation, answer: CheckedAnswer): string[] {
    const { status, headers, text } = answer;
    if (status === 405) return problemsOfMethod(operation, answer);
    const given = operation.responses[status];
    if (!given) return [`${status} is not documented: ${text}`];
    const pointer = given.$ref ?? `${operation.pointer}/${status}`;
    const { content, headers: described = {} } = inDocument(pointer) as Response;
    const missing = Object.entries(described)
      .filter(([name, { required }]) => required === true && !headers.has(name))
      .map(([name]) => `${name} is missing`);
    if (!content) return [...missing, ...(text === '' ? [] : [`no body is documented: ${text}`])];
    const [type = ''] = (headers.get('content-type') ?? '').split(';');
    // The bytes of a file.
    if (!content[type] && content['*/*']) return missing;
    if (!content[type]) return [...missing, `${type} is not documented`];
    const values = valuesIn(type, text);
    return [
      ...missing,
      ...values.flatMap((value) =>
        bodyProblems(`${pointer}/content/${inPointer(type)}/schema`, value),
      ),
      ...(given.$ref === undefined ? [] : codeProblems(given.$ref, values[0])),
    ];
  }

  return {
    problemsOf,
    /** The example with an additional field, a field of another type, or a required field missing. */
    spoiled({
      bodySchema = {},
      bodyExample: body,
    }: Operation): (readonly [what: string, body: Json])[] {
      const { properties = {}, required = [] } = resolved(bodySchema) as {
        properties?: Readonly<Record<string, Json>>;
        required?: readonly string[];
      };
      const wrong = Object.entries(properties).flatMap(([name, schema]) => {
        const odd = oddValues.find((value) => !holds(schema, value));
        return odd === undefined ? [] : [[`${name} wrong`, { ...body, [name]: odd }] as const];
      });
      const less = required.map((name) => {
        const { [name]: _left, ...rest } = body;
        return [`no ${name}`, rest] as const;
      });
      return [['a field more', { ...body, noSuchField: 1 }], ...wrong, ...less];
    },
    /** Query strings with an unknown parameter or an invalid value. */
    badQueries({ query }: Operation): string[] {
      const wrong = query.flatMap(({ name, schema }) => {
        const odd = oddTexts.find((text) => !holds(schema, readText(text, resolved(schema))));
        return odd === undefined ? [] : [`${name}=${encodeURIComponent(odd)}`];
      });
      return query.length === 0 ? [] : ['no_such_parameter=1', ...wrong];
    },
  };
}

/** An error names one of the codes that its response is named after. */
function codeProblems(reference: string, body: unknown): string[] {
  const codes = (reference.split('/').at(-1) ?? '').split('-');
  const { code } = (body as { data: { code: string } }).data;
  return codes.includes(code) ? [] : [`${code} is none of ${codes.join(', ')}`];
}

/** A parameter value, parsed like the service does. */
function readText(text: string, schema: Json): unknown {
  if (schema['type'] === 'array') {
    return text.split(',').map((part) => readText(part, (schema['items'] ?? {}) as Json));
  }
  return schema['type'] === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;
}

/** An answer, each line of an export, or the data of each live item. */
function valuesIn(type: string, text: string): unknown[] {
  if (type === 'application/json') return [JSON.parse(text)];
  const lines = text.split('\n').filter((line) => line !== '');
  if (type === 'application/x-ndjson') return lines.map((line) => JSON.parse(line) as unknown);
  return lines
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as unknown);
}
