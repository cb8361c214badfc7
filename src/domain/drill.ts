/** Drills: faults that an administrator causes on purpose, to see that nothing is lost. */
export const drillFaults = ['redis-flush', 'kill-worker', 'step-down'] as const;
export type DrillFault = (typeof drillFaults)[number];

/** Why a fault is not caused. */
export type DrillRefusal =
  | 'in_progress'
  | 'redis_down'
  | 'no_worker'
  | 'one_member'
  | 'other_databases'
  | 'no_privilege'
  | 'no_secondary';
