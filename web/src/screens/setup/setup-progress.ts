/** How far a set-up has come, as the steps of its page. */
export const stepIds = [
  'create',
  'url',
  'sample',
  'mapping',
  'review',
  'activate',
  'live',
] as const;
export type StepId = (typeof stepIds)[number];

/** What the API says of it; nothing is next once it is active. */
export type SetupState = {
  readonly active: boolean;
  readonly next: 'sample' | 'mapping' | 'activation' | null;
};

export type SetupProgress = {
  /** Shown by themselves. */
  readonly open: readonly StepId[];
  readonly done: readonly StepId[];
  /** Those that may be opened. */
  readonly reached: readonly StepId[];
};

const openBy: Readonly<Record<'sample' | 'mapping' | 'activation' | 'none', readonly StepId[]>> = {
  sample: ['url', 'sample'],
  mapping: ['mapping'],
  activation: ['review', 'activate'],
  none: ['live'],
};

/** `isSeen`: something has come and is done, so that nothing is left to wait for. */
export function setupProgressOf({ next }: SetupState, isSeen: boolean): SetupProgress {
  const open = openBy[next ?? 'none'];
  const first = stepIds.findIndex((id) => open.includes(id));
  const done = next === null && isSeen ? stepIds : stepIds.slice(0, first);

  return { open, done, reached: [...new Set([...done, ...open])] };
}
