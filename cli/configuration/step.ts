/** The steps of a plan. What a step does is data: apply.ts carries it out. */
import type { Change } from './difference.ts';
import type { Json } from './secrets.ts';
import type { Readable } from './server-state.ts';

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
  /** Absent: the plan creates the record. */
  readonly id?: string | undefined;
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
  /** What the plan was made from. If the server has something else then, the step is not carried out. */
  readonly seen?: { readonly of: Readable; readonly value: Json } | undefined;
  readonly action: Action;
};

type Action =
  | { readonly kind: 'create'; readonly body: Json; readonly webhook: string | undefined }
  | { readonly kind: 'update'; readonly body: Json }
  | { readonly kind: 'remove' }
  | { readonly kind: 'create-webhook'; readonly channel: string }
  | { readonly kind: 'update-webhook'; readonly newName?: string; readonly channel?: string }
  | { readonly kind: 'update-settings'; readonly body: Json }
  | { readonly kind: 'update-rules'; readonly body: Json }
  | { readonly kind: 'add-sample'; readonly file: string }
  | { readonly kind: 'save-mapping'; readonly mapping: Json }
  | { readonly kind: 'activate'; readonly version: number | null };

export type PlanOptions = {
  readonly prune: boolean;
  readonly activate: boolean;
  /** Secrets are sent again, although whether they differ cannot be seen. */
  readonly secrets: boolean;
};

/** The name of the rules of notices that are not of a webhook. */
export const installation = '';
