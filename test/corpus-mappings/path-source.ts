import type { PathSource, TransformUse } from '../../src/domain/mappings/mapping.ts';

export const pathSource = (path: string, ...transforms: TransformUse[]): PathSource =>
  transforms.length === 0 ? { path } : { path, transforms };
