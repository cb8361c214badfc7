/** Exit codes, and the sentence that says why a command failed. */
import { InletError } from '../../client/client.ts';

/** The meaning of each exit code, in the words of the reference. */
export const exitCodes = {
  ok: [0, 'The command succeeded.'],
  failed: [1, 'Inlet refused the request, a check failed, or something unexpected happened.'],
  differs: [2, '`apply --dry-run` found differences.'],
  usage: [3, 'The arguments or a configuration file are not valid.'],
  access: [4, 'No token is set, it is not valid, or its scope does not suffice.'],
  unavailable: [5, 'Inlet cannot be reached, or asks to try later.'],
  cancelled: [6, 'A question was answered with no, or could not be asked.'],
  changed: [
    7,
    'A record changed on the server after `apply` showed the difference; it was not overwritten.',
  ],
} as const;
type ExitName = keyof typeof exitCodes;

export const exitCodeOf = (name: ExitName): number => exitCodes[name][0];

/** A failure whose message is meant for a person. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exit: ExitName;

  constructor(message: string, exit: ExitName = 'failed') {
    super(message);
    this.exit = exit;
  }
}

/** Arguments or a configuration file that are not valid. */
export const misuse = (message: string): CommandFailure => new CommandFailure(message, 'usage');

type Described = { readonly exit: ExitName; readonly message: string };

export function describeFailure(error: unknown): Described {
  if (error instanceof CommandFailure) return { exit: error.exit, message: error.message };
  if (error instanceof InletError) return describeAnswer(error);
  const { message, cause } = error as Error;
  if (error instanceof TypeError && message === 'fetch failed') {
    const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string };
    return {
      exit: 'unavailable',
      message: `Inlet cannot be reached: ${code ?? reason ?? 'no answer'}.`,
    };
  }
  if ((error as Error).name === 'TimeoutError') {
    return { exit: 'unavailable', message: 'Inlet does not answer.' };
  }
  if (error instanceof SyntaxError) {
    return { exit: 'failed', message: 'The address does not answer as Inlet does. Check it.' };
  }
  return { exit: 'failed', message: `Unexpected: ${message}` };
}

/** Of the webhook's key or signature, not of the token. */
const senderCodes = new Set(['invalid_key', 'invalid_signature']);

function describeAnswer(error: InletError): Described {
  const { status, code, message, requestId, details } = error;
  if (status === 401 && !senderCodes.has(code ?? '')) {
    return {
      exit: 'access',
      message: 'Inlet does not accept the token. Sign in with `inlet login`.',
    };
  }
  if (code === null) {
    const message = `The address answered ${status}, but not as Inlet does. Check the address.`;
    return { exit: status >= 500 ? 'unavailable' : 'failed', message };
  }
  const fields = (details.fields ?? []).map((field) => `${field.path} ${field.message}`);
  const missing = (details.missing ?? []).map((part) => `${part} is missing`);
  const users = (details.usedBy ?? []).map(({ type, name }) => `used by the ${type} ${name}`);
  const state = details.state === undefined ? [] : [`state: ${details.state}`];
  const reasons = [...fields, ...missing, ...users, ...state].map((line) => `\n  ${line}`);
  const tail = requestId === null ? '' : `, request ${requestId}`;
  const isTemporary = status === 429 || status >= 500;
  return {
    exit: status === 403 ? 'access' : isTemporary ? 'unavailable' : 'failed',
    message: `${message}${reasons.join('')} (${code}${tail})`,
  };
}
