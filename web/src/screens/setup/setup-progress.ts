/** The progress of a setup as steps of its page. */
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

/** The setup state of the API; `next` is null when active. */
type SetupState = {
  readonly active: boolean;
  readonly next: 'sample' | 'mapping' | 'activation' | null;
};

type SetupProgress = {
  /** Expanded by default. */
  readonly open: readonly StepId[];
  readonly done: readonly StepId[];
  /** Steps that can be opened. */
  readonly reached: readonly StepId[];
};

const openBy: Readonly<Record<'sample' | 'mapping' | 'activation' | 'none', readonly StepId[]>> = {
  sample: ['url', 'sample'],
  mapping: ['mapping'],
  activation: ['review', 'activate'],
  none: ['live'],
};

/** `isSeen`: an event was received and processed. */
export function setupProgressOf({ next }: SetupState, isSeen: boolean): SetupProgress {
  const open = openBy[next ?? 'none'];
  const first = stepIds.findIndex((id) => open.includes(id));
  const done = next === null && isSeen ? stepIds : stepIds.slice(0, first);

  return { open, done, reached: [...new Set([...done, ...open])] };
}
