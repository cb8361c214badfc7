/** What the conversations API needs from the process that runs it. */
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Stores } from '../../store/stores.ts';

export type InboxDeps = Pick<
  Stores,
  'agents' | 'channels' | 'conversations' | 'files' | 'inbox' | 'labels' | 'people' | 'sectors'
> & {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The region of phone numbers without a country code, unless the channel sets one. */
  readonly defaultRegion: string;
};
