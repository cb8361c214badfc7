// The context of the API over a test context, without the parts that record and replay events.
import { createApiContext, type ApiContext } from '../../../src/api/context.ts';
import { testConfig, type TestContext } from './test-context.ts';

type Parts = Parameters<typeof createApiContext>[0];
type Over = Partial<ApiContext> & { readonly secretKeys?: readonly string[] };

/** `over` replaces members. */
export function apiContextOf(
  { stores, newResources }: Pick<TestContext, 'stores' | 'newResources'>,
  { secretKeys, ...over }: Over = {},
): ApiContext {
  const resources = newResources({ ...(secretKeys && { secretKeys }) });
  const ignore = () => {};
  const quiet = {
    invalidate: ignore,
    recheckStreams: ignore,
    wakeRuns: ignore,
    wakeErasure: ignore,
  };
  const parts = { ...stores, ...testConfig, ...resources, ...quiet, ...over };
  return { ...createApiContext(parts as unknown as Parts), ...over };
}
