// A decoder thread that fails as the profile says. It answers any other profile with the string "decoded".
import { parentPort } from 'node:worker_threads';
import { serialize } from 'node:v8';

/** @type {Record<string, () => void>} */
const failures = {
  hangs() {
    for (;;);
  },
  throws() {
    throw new Error('broken');
  },
  exits: () => process.exit(0),
  fills() {
    const all = [];
    for (;;) all.push('x'.repeat(1_000_000).split(''));
  },
};

parentPort?.postMessage('ready');
parentPort?.on('message', ({ profile }) => {
  failures[profile]?.();
  const piece = new Uint8Array(serialize(['decoded']));
  parentPort?.postMessage({ ok: true, pieces: [piece], workMs: 1 });
});
