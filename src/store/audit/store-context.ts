import type { Clock } from '../../base/clock.ts';
import type { Connection } from '../db/connection.ts';
import type { AuditStore } from './audit.ts';

/** What the stores of one connection share. `createStores` makes it once. */
export type StoreContext = {
  readonly connection: Connection;
  /** Follows the database's time. Stores read no other clock than this one and `$$NOW`. */
  readonly clock: Clock;
  readonly audit: AuditStore;
};
