/** Entry point of the thread that computes previews, comparisons, suggestions and repairs: one for each message. */
import { parentPort } from 'node:worker_threads';
import { AppError, invalidField } from '../../base/errors.ts';
import type { Ready } from '../../base/process/task-thread.ts';
import { withEmptyMessage } from '../../mapping/evaluation/empty-message.ts';
import { previewItems, type Preview } from '../../mapping/evaluation/preview.ts';
import {
  createWorkBudget,
  WorkBudgetExceeded,
  type WorkBudget,
} from '../../mapping/expressions/work-budget.ts';
import { maxWorkPerRequest } from '../../mapping/work-limits.ts';
import { receivePayload, type SentPayload } from '../samples/payload.ts';
import { compileWithin } from './compile-or-reject.ts';
import { computeDiff } from './compute-diff.ts';
import { computeRepair } from './compute-repair.ts';
import { computeSuggestion } from './compute-suggestion.ts';

type PreviewTask = {
  readonly mapping: unknown;
  readonly payload: SentPayload;
  readonly profile: string;
  readonly region: string;
};

/** Throws `invalid_mapping`, and `invalid_field` for a payload that cannot be read. */
function computePreview(
  { mapping: document, payload: sent, profile, region }: PreviewTask,
  budget: WorkBudget,
): Preview {
  const mapping = compileWithin(budget, document);
  const payload = receivePayload(sent, profile, '/payload');
  const items = previewItems(mapping, payload, { defaultRegion: region, budget });
  return {
    items: Array.from(items, (item) => ({
      ...item,
      problems: withEmptyMessage(mapping.document, item),
    })),
  };
}

const computations = {
  preview: computePreview,
  diff: computeDiff,
  suggestion: computeSuggestion,
  repair: computeRepair,
} as const;

type Computations = typeof computations;
export type ComputationKind = keyof Computations;
export type TaskOf<Kind extends ComputationKind> = Parameters<Computations[Kind]>[0];
export type ResultOf<Kind extends ComputationKind> = ReturnType<Computations[Kind]>;
export type ComputeRequest = { readonly kind: ComputationKind; readonly task: unknown };

/** `units` is the work that was done. Only `AppError` is an answer to the caller. */
export type ComputeReply = { readonly units: number } & (
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly error: Pick<AppError, 'code' | 'details' | 'message'> | null;
      readonly failure: string;
    }
);

const tooMuchWork = (): AppError => invalidField('', 'field.too_much_work');

function compute({ kind, task }: ComputeRequest): ComputeReply {
  const budget = createWorkBudget(maxWorkPerRequest);
  const units = () => maxWorkPerRequest - Math.max(budget.remaining, 0);
  try {
    const result = computations[kind](task as never, budget);
    return { ok: true, result, units: units() };
  } catch (caught) {
    const error = caught instanceof WorkBudgetExceeded ? tooMuchWork() : caught;
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!(error instanceof AppError)) return { ok: false, error: null, failure, units: units() };
    const { code, details, message } = error;
    return { ok: false, error: { code, details, message }, failure, units: units() };
  }
}

parentPort?.on('message', (request: ComputeRequest) => parentPort?.postMessage(compute(request)));

parentPort?.postMessage('ready' satisfies Ready);
