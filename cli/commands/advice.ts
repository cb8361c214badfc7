/** What to do about what `doctor` and `backup verify` find. */
const keys = 'Add the key that they were sealed under to INLET_SECRET_KEYS, or set them again.';

export const advice = {
  address: 'Check the address and the proxy.',
  encryption: 'Use https: tokens and secret URLs are readable on the way.',
  clock: 'Synchronize the clocks of the server and of this machine.',
  certificate: 'Renew the certificate.',
  token: '',
  mongodb: 'See docs/operations.md, "MongoDB has no primary".',
  redis: 'Events are stored but wait. Check that it runs with maxmemory-policy noeviction.',
  servers: 'Start one: npm run server.',
  workers: 'Start one: npm run worker. A worker refuses to start if Redis may evict keys.',
  'open events': 'Look at `inlet tail` and at the log of the workers.',
  'dead letters': 'Look at `inlet dead`.',
  disk: 'Enlarge the disk of MongoDB or shorten the retention. A full disk stops Inlet.',
  'redis policy':
    'Set noeviction in redis.conf; otherwise Redis drops jobs, and workers do not start.',
  'redis file': 'Set appendonly yes; without it a restart of Redis delays events until the sweep.',
  versions: 'Finish the upgrade: restart the older ones.',
  clocks: 'Synchronize the clocks of the machines by NTP.',
  readiness: 'See docs/operations.md.',
  indexes: 'Effects could be doubled. Stop the senders, and run: npm run migrate.',
  'secrets of channels': keys,
  'secrets of webhooks': keys,
  'secrets of notice targets': keys,
  'audit log':
    'Rows were changed or lost outside Inlet. Keep the database, and compare it with a backup.',
  mappings: 'The backup misses mapping versions.',
  events: 'The backup was not taken at one point in time.',
} as const;
export type Check = keyof typeof advice;
