/**
 * Logger: one wide JSON line per unit of work, pretty on a terminal.
 *
 * Promises: no line contains a path key or a token, in any field; the finished line is filtered last. An error
 * is logged with its message, code and stack frames, without the documents that libraries attach to it. Levels
 * are promises to the person on call: a healthy system logs no ERROR.
 */
import { pino, type Logger as PinoLogger } from 'pino';
import { build as pinoPretty } from 'pino-pretty';

export type Logger = PinoLogger;

/** Prefixes of path keys, tokens and sessions of the console. What follows a prefix is secret. */
export const keyPrefix = 'inlet_wk_';
export const tokenPrefix = 'inlet_at_';
export const sessionPrefix = 'inlet_cs_';

const prefixStart = 'inlet_';
const secretPattern = /inlet_(wk|at|cs)_[A-Za-z0-9_-]+/g;
/** Shorter words after a prefix are text about credentials. */
const credentialPattern = /inlet_(?:wk|at|cs)_[A-Za-z0-9_-]{16,}/;

/** Returns whether the text contains a path key, a token or a session of the console. */
export const containsCredential = (text: string): boolean =>
  text.includes(prefixStart) && credentialPattern.test(text);

/** The path segment after the receiving route is a credential, even if it is mistyped. */
const pathKeyPattern = /(\/v1\/webhook\/)[^\s"'\\?/]+/gi;

export const maskSecrets = (line: string): string => {
  const masked = line.replace(pathKeyPattern, '$1[key]');
  return masked.includes(prefixStart) ? masked.replace(secretPattern, 'inlet_$1_[secret]') : masked;
};

/**
 * Errors whose messages quote stored data or input. Their messages are cut at the first quotation mark or
 * bracket.
 */
const quotingErrors = /^(Mongo|BSON|Cast|Valid|Strict|Syntax|Reply)/;
const quotationStart = /["'`{[]/;
const framePattern = /^\s+at .+(:\d+:\d+|<anonymous>|native)\)?$/;
const maxDepth = 5;

type ErrorFields = Readonly<Record<string, unknown>>;

/**
 * Returns the loggable parts of an error. Other fields are left out: a bulk write error has every document of
 * the bulk.
 */
function serializeError(thrown: unknown, depth = 0): unknown {
  if (!isError(thrown)) return typeof thrown === 'string' ? thrown : typeof thrown;
  const { name, constructor, cause, code, codeName, errors } = thrown;
  const type = constructor.name || name;
  const isQuoting = quotingErrors.test(name) || quotingErrors.test(type);
  const message = isQuoting ? untilQuotation(thrown.message) : thrown.message;
  const inner = (one: unknown) => serializeError(one, depth + 1);
  return {
    type,
    message,
    ...(isPlain(code) && { code }),
    ...(isPlain(codeName) && { codeName }),
    stack: [`${type}: ${message}`, ...framesOf(thrown)].join('\n'),
    ...(isError(cause) && depth < maxDepth && { cause: inner(cause) }),
    ...(Array.isArray(errors) && depth < maxDepth && { errors: errors.slice(0, 5).map(inner) }),
  };
}

const isError = (thrown: unknown): thrown is Error & ErrorFields =>
  typeof (thrown as Partial<Error> | null)?.message === 'string';

const isPlain = (value: unknown) => typeof value === 'string' || typeof value === 'number';

function untilQuotation(message: string): string {
  const at = message.search(quotationStart);
  return at < 0 ? message : `${message.slice(0, at)}[…]`;
}

/** Returns the stack frames. The stack begins with the message, whose lines may look like frames. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  const behind = at < 0 ? stack : stack.slice(at + message.length);
  return behind.split('\n').filter((line) => framePattern.test(line));
}

type LoggerOptions = {
  readonly level: string;
  readonly role: string;
  readonly pretty?: boolean;
  readonly out: LogOutput;
};

/** Where lines are written: a stream, or a destination that never blocks. */
type LogOutput = { readonly write: (line: string) => unknown };

export function createLogger({ level, role, pretty, out }: LoggerOptions): Logger {
  const target = pretty ? pinoPretty({ destination: process.stdout, colorize: true }) : out;
  const filtered = { write: (line: string) => void target.write(maskSecrets(line)) };
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => serializeError(error) },
      formatters: { level: (label) => ({ level: label }) },
    },
    filtered,
  );
}
