import type { Scalar } from '../../domain/mappings/mapping.ts';
import type { Evidence } from './similarity.ts';

/** A path that is gone, and the one that replaces it. */
export type Replacement = {
  /** The targets that read the path. */
  targets: string[];
  /** The path that is gone. */
  readonly from: string;
  readonly path: string;
  readonly example: Scalar;
  /** From 0 to 1. */
  readonly similarity: number;
  because: Evidence[];
};
