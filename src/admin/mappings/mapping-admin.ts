/** Composes the administration of mappings. */
import type { AdminDeps } from '../dependencies.ts';
import { createDrift } from './drift.ts';
import { createMappings } from './mappings.ts';
import { createSuggest } from './suggestions.ts';
import { createVersionHealth } from './version-health.ts';

export const createMappingAdmin = (deps: AdminDeps) => ({
  mappings: createMappings(deps),
  suggest: createSuggest(deps),
  drift: createDrift(deps),
  health: createVersionHealth(deps),
});
