/** The steps of a plan. */
import type { Inlet } from '../connection/connect.ts';
import type { Change } from './difference.ts';
import type { Seen } from './server-state.ts';

export type NewUrl = { readonly webhook: string; readonly id: string; readonly url: string };
export type Run = {
  readonly inlet: Inlet;
  /** The precondition of the change. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deliverUrl: (one: NewUrl) => void;
};

export type Step = {
  readonly verb: 'create' | 'change' | 'add' | 'activate' | 'archive' | 'delete';
  readonly noun:
    | 'channel'
    | 'webhook'
    | 'sample'
    | 'mapping'
    | 'version'
    | 'notice rules'
    | 'notice target';
  readonly name: string;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** What the plan was made from. If the server has something else then, the step is not carried out. */
  readonly seen?: Seen | undefined;
  readonly run: (run: Run) => Promise<unknown>;
};

export type PlanOptions = {
  readonly prune?: boolean;
  readonly activate?: boolean;
  /** Secrets are sent again, although whether they differ cannot be seen. */
  readonly secrets?: boolean;
};

/** The name of the rules of notices that are not of a webhook. */
export const installation = '';

export const titleOf = ({ verb, noun, name }: Step): string => {
  if (noun === 'channel' || noun === 'webhook' || noun === 'notice target')
    return `${verb} ${noun} ${name}`;
  return `${verb} ${noun} of ${name === installation ? 'the installation' : `webhook ${name}`}`;
};
