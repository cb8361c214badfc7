// The options of `npm run chaos`, which its harness reads again.

export const chaosOptions = /** @type {const} */ ({
  faults: { type: 'string' },
  seconds: { type: 'string' },
  members: { type: 'string', default: '1' },
  seed: { type: 'string' },
  servers: { type: 'string', default: '2' },
  workers: { type: 'string', default: '3' },
  gap: { type: 'string', default: '500' },
  disk: { type: 'string' },
  steady: { type: 'boolean', default: false },
  abuse: { type: 'boolean', default: false },
});

export const chaosUsage =
  'npm run chaos -- [--faults N] [--seconds N] [--seed N] [--members 1|3] [--servers N] [--workers N] [--gap MS] [--disk FOLDER] [--steady] [--abuse]';
