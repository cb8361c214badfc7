/** The envelope of answers under /v1, and the error responses by status. */
import { errorKinds, errorText, type ErrorCode } from '../../base/errors.ts';
import { statusOf } from '../error-handler.ts';
import { prefix, type Json } from './components.ts';

export const json = (schema: unknown) => ({ 'application/json': { schema } });
export const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const envelope = (data: unknown): Json =>
  object({
    status: { const: true },
    message: { type: 'string', description: 'Human-readable text in the requested language.' },
    data,
  });

export const errorEnvelope: Json = object({
  status: { const: false },
  message: { type: 'string', description: 'Human-readable text in the requested language.' },
  data: object(
    {
      success: { const: false },
      code: {
        type: 'string',
        enum: Object.keys(errorKinds),
        description: 'The machine-readable code.',
      },
      requestId: { type: 'string' },
      fields: {
        type: 'array',
        items: object(
          {
            path: { type: 'string' },
            message: { type: 'string' },
            kind: { type: 'string', description: 'A stable code, if there is one.' },
            about: {
              type: 'string',
              description: 'The name or the limit that the error concerns.',
            },
          },
          ['path', 'message'],
        ),
      },
      state: { type: 'string' },
      id: { type: 'string' },
      contactId: { type: 'string' },
      chat_id: { type: 'string' },
      missing: { type: 'array', items: { type: 'string' } },
      usedBy: {
        type: 'array',
        items: object({
          type: { type: 'string' },
          id: { type: 'string' },
          name: { type: 'string' },
        }),
      },
    },
    ['success', 'code', 'requestId'],
  ),
});

/** Statuses with `Retry-After`. For a conflict it is optional. */
const mayWait = new Set([409, 429, 503]);

const retryAfter = (status: number) => ({
  'Retry-After': {
    description: 'Seconds to wait before a retry.',
    required: status !== 409,
    schema: { type: 'integer', minimum: 1 },
  },
});

export const requestId = {
  'X-Request-Id': {
    description: 'The id of the request in the log.',
    required: true,
    schema: { type: 'string' },
  },
};

type Group = { readonly status: number; readonly codes: readonly ErrorCode[] };

function groupsOf(codes: readonly ErrorCode[]): Group[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf[errorKinds[code]];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, named]) => ({ status, codes: named }));
}

const describeCode = (code: ErrorCode): string => `\`${code}\`: ${errorText(code, 'en')}`;

/** Error responses, shared by the operations with the same codes. */
export function createErrorResponses() {
  const shared: Record<string, Json> = {};
  return {
    /** Returns one response for each status, with its possible codes. */
    of(codes: readonly ErrorCode[]): Json {
      const entries = groupsOf(codes).map((group) => {
        const name = [...group.codes].toSorted().join('-');
        shared[name] ??= {
          description: group.codes.map(describeCode).join(' '),
          headers: { ...requestId, ...(mayWait.has(group.status) && retryAfter(group.status)) },
          content: {
            'application/json': {
              schema: { $ref: `${prefix}Error` },
              example: exampleOf(group.codes[0] ?? 'internal'),
            },
          },
        };
        return [group.status, { $ref: `#/components/responses/${name}` }];
      });
      return Object.fromEntries(entries);
    },
    shared: (): Json => shared,
  };
}
export type ErrorResponses = ReturnType<typeof createErrorResponses>;

const exampleOf = (code: ErrorCode) => ({
  status: false,
  message: errorText(code, 'en'),
  data: { success: false, code, requestId: '0198c2f5-2b10-7e4d-8c11-90aa7b6c5d4e' },
});
