/** Whether the destination of a channel takes messages, by the attempts of all workers. */

/** A channel is failing after that many failures without a success between them, over that time. */
export const failingAfter = { failures: 20, ms: 10 * 60_000 } as const;
/** Between the attempts that find out whether a failing channel works again. Less than a postponement, so that none misses its turn. */
export const probeEveryMs = 55_000;
/** A channel that fails for this long is disabled. */
export const offAfterMs = 72 * 3_600_000;

/** Exists from the first failure after a success to the next success. */
export type ChannelHealth = {
  /** Id of the channel. */
  readonly _id: string;
  readonly failures: number;
  readonly since: Date;
  readonly lastAt: Date;
  /** Of the last failure. */
  readonly reason: string;
  /** Absent: not failing yet. */
  readonly failingSince?: Date;
  /** Earliest time of the next attempt, while it is failing. */
  readonly probeAt?: Date;
  /** When Inlet disabled the channel. */
  readonly offAt?: Date;
};

export const channelHealthStates = ['healthy', 'failing', 'off'] as const;
export type ChannelHealthState = (typeof channelHealthStates)[number];

/** Returns the state that is shown. A channel that a person disabled is not `off`. */
export function healthStateOf(
  health: ChannelHealth | null | undefined,
  { enabled }: { readonly enabled: boolean },
): ChannelHealthState {
  if (health?.offAt && !enabled) return 'off';
  return health?.failingSince ? 'failing' : 'healthy';
}

/** Whether the channel has failed for so long that it is disabled. By the database's clock. */
export const isOffDue = ({ failingSince, lastAt }: ChannelHealth): boolean =>
  failingSince !== undefined && +lastAt - +failingSince >= offAfterMs;
