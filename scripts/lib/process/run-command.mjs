// Runs one command to its end without output, and stops it when this process is stopped.
import { spawn } from 'node:child_process';

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd]
 * @property {NodeJS.ProcessEnv} [env] added to this process's environment
 * @property {number} [timeoutMs] the command is killed after it; default 10 minutes
 * @property {boolean} [show] let the command write to the terminal instead of keeping its output
 */

/**
 * Never rejects: a command that cannot be started has code 127.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string, stdout: string }>}
 */
export function runCommand(command, args, options = {}) {
  return new Promise((resolve) => {
    const timeoutMs = options.timeoutMs ?? 600_000;
    const startedAt = performance.now();
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: options.show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    running.add(child);
    let stdout = '';
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      stdout += text;
      output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
    const settle = (/** @type {number} */ code) => {
      running.delete(child);
      resolve({ code, output, stdout });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(127);
    });
    child.once('close', (code, signal) => {
      if (signal === 'SIGKILL' && performance.now() - startedAt >= timeoutMs) {
        const words = `Killed, because it took longer than ${timeoutMs / 60_000} minutes.\n`;
        output += words;
        if (options.show) process.stderr.write(words);
      }
      settle(code ?? 1);
    });
  });
}

/** The ends of a command's output, for a message. @param {string} output */
export function lastLines(output) {
  const lines = output.trim().split('\n');
  const shown = lines.length <= 12 ? lines : [...lines.slice(0, 6), '…', ...lines.slice(-5)];
  return shown.join('\n  ');
}

/** Stops the running commands. */
export function stopCommands() {
  for (const child of running) child.kill('SIGTERM');
}

/** On SIGINT or SIGTERM: stops the running commands, then this process by the same signal. */
export function stopCommandsOnSignals() {
  for (const [signal, code] of /** @type {const} */ ([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])) {
    process.once(signal, () => {
      stopCommands();
      process.exit(code);
    });
  }
}
