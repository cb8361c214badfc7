/** The steps of a plan. */
import type { Inlet } from '../connection/connect.ts';
import type { Change } from './difference.ts';
import type { Part } from './kinds.ts';
import type { Seen } from './server.ts';

export type NewUrl = { readonly webhook: string; readonly id: string; readonly url: string };
export type Run = {
  readonly inlet: Inlet;
  /** The precondition of the change. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deliverUrl: (one: NewUrl) => void;
};

export type Step = {
  readonly verb: 'create' | 'change' | 'add' | 'activate' | 'archive' | 'delete';
  readonly noun: Part['noun'] | 'key' | 'sample' | 'mapping' | 'version';
  /** Of the record; empty for the installation. */
  readonly name: string;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** What the plan was made from. If the server has something else then, the step fails. */
  readonly seen?: Seen | undefined;
  readonly run: (run: Run) => Promise<unknown>;
};

export type PlanOptions = {
  readonly prune?: boolean | undefined;
  readonly activate?: boolean | undefined;
  /** Secrets are sent again, although whether they differ cannot be seen. */
  readonly secrets?: boolean | undefined;
};

const records: readonly Step['noun'][] = ['channel', 'webhook', 'notice target'];

export const titleOf = ({ verb, noun, name }: Pick<Step, 'verb' | 'noun' | 'name'>): string => {
  if (records.includes(noun)) return `${verb} ${noun} ${name}`;
  return `${verb} ${noun} of ${name === '' ? 'the installation' : `webhook ${name}`}`;
};
