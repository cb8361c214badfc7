/**
 * One wide JSON line per unit of work; pretty on a terminal.
 *
 * Promises: no line carries a path key or a token, wherever a library may have put it (message, stack, nested field):
 * the finished line is filtered last. Levels are promises to the person on call: a healthy system logs no ERROR.
 */
import { pino, type Logger as PinoLogger } from 'pino';
import { build as pinoPretty } from 'pino-pretty';

export type Logger = PinoLogger;

/** Path keys and tokens carry these prefixes; anything after them is a secret. */
export const keyPrefix = 'inlet_wk_';
export const tokenPrefix = 'inlet_at_';

const secretShape = /inlet_(wk|at)_[A-Za-z0-9_-]+/g;
/** Whatever follows the receiving route is a credential, even when it was mistyped. */
const pathShape = /(\/v1\/webhook\/)[^\s"'\\?/]+/gi;

export const maskSecrets = (line: string): string =>
  line.replace(pathShape, '$1[key]').replace(secretShape, 'inlet_$1_[secret]');

export type LoggerOptions = {
  readonly level: string;
  readonly role: string;
  readonly pretty?: boolean;
  readonly out?: NodeJS.WritableStream;
};

export function createLogger({ level, role, pretty, out = process.stdout }: LoggerOptions): Logger {
  const target = pretty ? pinoPretty({ destination: out as never, colorize: true }) : out;
  const filtered = { write: (line: string) => void target.write(maskSecrets(line)) };
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    filtered,
  );
}

export const silentLogger = (): Logger => pino({ level: 'silent' });
