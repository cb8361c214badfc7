/**
 * Examples of bodies and answers, generated from the schemas: a schema's own `examples` first, then a typical value for the
 * field's name, then the smallest valid value. A test validates each example.
 */
import type { Json } from './components.ts';

const id = '0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21';

/** Typical values by field name. The persons are fictitious. */
const typical: Readonly<Record<string, unknown>> = {
  actor: { tokenId: id, name: 'Operations' },
  address: '203.0.113.7',
  bodySha256: 'a3'.repeat(32),
  channelId: '0198c2f4-11aa-7f00-8a01-5d2e7b9c4f10',
  code: 'unreadable_phone',
  color: '#2f855a',
  contentType: 'application/json',
  document: '52998224725',
  email: 'ana.souza@example.com',
  eventId: '0198c2f5-0c44-7aa1-b3d7-6e1f2a9b8c70',
  eventType: 'lead.created',
  externalId: 'lead-7781',
  hash: 'b7'.repeat(32),
  kind: 'inbox',
  lastFour: 'x7Qa',
  message: 'Hello, I would like a quote.',
  name: 'Leads of the website',
  phone: '+5511987654321',
  phone_ddi: '55',
  producerProfile: 'generic',
  reason: 'required_missing:contact.phone',
  requestId: '0198c2f5-2b10-7e4d-8c11-90aa7b6c5d4e',
  search: 'website',
  sector: 'Sales',
  statusLabel: 'Active',
  target: 'contact.phone',
  text: 'Hello, I would like a quote.',
  url: 'https://inlet.example.com/v1/webhook/<WEBHOOK_KEY>',
  version: 2,
};

type Schema = {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly pattern?: string;
  readonly format?: string;
};

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T12:00:00.000Z',
  date: '2026-03-14',
};

function fits(value: unknown, { type, pattern }: Schema): boolean {
  const types = [type].flat();
  const isOf =
    types.includes(typeof value) || (types.includes('integer') && Number.isInteger(value));
  return isOf && (typeof value !== 'string' || new RegExp(pattern ?? '', 'u').test(value));
}

/** `schemas` resolves references. */
export function createExamples(schemas: Json) {
  function exampleOf(given: unknown, name = '', depth = 0): unknown {
    const schema = given as Schema;
    if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''], name, depth);
    if (schema.examples) return schema.examples[0];
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    const choice = schema.anyOf ?? schema.oneOf;
    // Keywords beside the choice apply to each branch.
    const branch = { ...schema, anyOf: undefined, oneOf: undefined, ...choice?.[0] };
    if (choice && !schema.properties) return exampleOf(branch, name, depth);
    const known = Object.hasOwn(typical, name) ? typical[name] : undefined;
    if (known !== undefined && fits(known, schema)) return known;
    return leastOf(schema, name, depth);
  }

  function leastOf(schema: Schema, name: string, depth: number): unknown {
    const type = [schema.type].flat()[0];
    if (type === 'string') return textOf(schema);
    if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 1);
    if (type === 'boolean') return true;
    if (type === 'null') return null;
    if (type === 'array') {
      if (depth > 9 || !schema.items) return [];
      return [exampleOf(schema.items, name.replace(/s$/, ''), depth + 1)];
    }
    if (type === 'object' || schema.properties) return objectOf(schema, depth);
    return { lead: { name: 'Ana Souza' } };
  }

  function objectOf({ properties = {}, patternProperties = {} }: Schema, depth: number): unknown {
    const [free] = Object.values(patternProperties);
    if (free && depth <= 9) return { city: exampleOf(free, 'city', depth + 1) };
    if (depth > 9) return {};
    return Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        exampleOf(property, name, depth + 1),
      ]),
    );
  }

  function textOf({ format, pattern, minLength = 0 }: Schema): string {
    if (format && formats[format]) return formats[format];
    if (pattern?.startsWith('^[0-9a-f]{8}-')) return id;
    const words = ['Recife', 'name', '1', 'recife', 'a'.repeat(64), '1.2.3.4', id];
    const fitting = words.find((word) => new RegExp(pattern ?? '', 'u').test(word)) ?? 'Recife';
    return fitting.padEnd(minLength, 'x');
  }

  return exampleOf;
}
