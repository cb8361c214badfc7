import type { Clock } from '../../base/clock.ts';
import type { Connection } from '../db/connection.ts';
import type { AuditStore } from './audit.ts';

/** Dependencies that the stores of one connection share. `createStores` creates it once. */
export type StoreContext = {
  readonly connection: Connection;
  /** Follows the database's time. Stores read only this clock and `$$NOW`. */
  readonly clock: Clock;
  readonly audit: AuditStore;
};
