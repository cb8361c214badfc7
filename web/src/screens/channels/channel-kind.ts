/** The settings of a channel kind, read from their JSON Schema: their fields, validation and values. */
import { InletError, type Answer } from '../../api/client.ts';
import { matchCase } from './match-case.ts';

export type Kind = Answer<'listChannelKinds'>['kinds'][number];

/** What a form is built from; also of a target of notices. */
export type SettingsKind = Pick<Kind, 'settingsSchema' | 'secrets'>;

export type Setting = {
  readonly name: string;
  readonly type: 'text' | 'number' | 'choice' | 'lines';
  readonly choices: readonly string[];
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly description: string;
  readonly pattern: RegExp | null;
  readonly min: number;
  readonly limit: number;
};

type Schema = {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
};

function typeOf({ type, enum: choices }: Schema): Setting['type'] {
  if (choices) return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  return type === 'object' ? 'lines' : 'text';
}

export function settingsOfSchema({ settingsSchema, secrets }: SettingsKind): Setting[] {
  const { properties = {}, required = [] } = settingsSchema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly required?: readonly string[];
  };
  const settings = Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    choices: schema.enum ?? [],
    isSecret: secrets.includes(name),
    isRequired: required.includes(name),
    description: schema.description ?? '',
    pattern: schema.pattern === undefined ? null : new RegExp(schema.pattern, 'u'),
    min: schema.minimum ?? 0,
    limit: schema.maximum ?? Number.MAX_SAFE_INTEGER,
  }));
  return settings.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** By setting name, as typed; secrets start empty. */
export type Form = {
  readonly texts: Readonly<Record<string, string>>;
  /** Secrets to delete. */
  readonly gone: readonly string[];
};

export const formOf = (settings: object): Form => ({
  texts: Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, String(value)] as const),
  ),
  gone: [],
});

/** Parses lines such as `X-Api-Key: abc`; null when a line is invalid. */
function headersIn(text: string): Record<string, string> | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const pairs = lines.map((line) => /^\s*([^:\s]+)\s*:\s*(.*\S)\s*$/.exec(line));
  if (pairs.some((pair) => pair === null)) return null;
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? ''] as const));
}

export function isValid({ type, pattern, min, limit }: Setting, text: string): boolean {
  if (text.trim() === '') return true;
  if (type === 'lines') return headersIn(text) !== null;
  if (type === 'number') {
    return /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= limit;
  }
  return pattern === null || pattern.test(matchCase(pattern, text));
}

export const isComplete = (
  kind: SettingsKind,
  { texts }: Form,
  secretsSet: readonly string[],
): boolean =>
  settingsOfSchema(kind).every((setting) => {
    const text = texts[setting.name] ?? '';
    const isMounted = text.trim() !== '' || secretsSet.includes(setting.name);
    return isValid(setting, text) && (isMounted || !setting.isRequired);
  });

function valueOf({ type, pattern }: Setting, text: string): unknown {
  if (type === 'number') return Number(text);
  return type === 'lines' ? headersIn(text) : matchCase(pattern, text);
}

/** The settings with a value. */
export function settingsOf(kind: SettingsKind, { texts }: Form): Record<string, unknown> {
  const filled = settingsOfSchema(kind).filter(({ name }) => (texts[name] ?? '').trim() !== '');
  return Object.fromEntries(
    filled.map((setting) => [setting.name, valueOf(setting, texts[setting.name] ?? '')]),
  );
}

/** Finds the server's error of a field. */
export function problemsOf(error: unknown): (path: string) => string | undefined {
  const fields = error instanceof InletError ? (error.details.fields ?? []) : [];
  return (path) => fields.find((field) => field.path.startsWith(path))?.message;
}
