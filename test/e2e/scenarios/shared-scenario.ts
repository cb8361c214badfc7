// The server and worker that the scenarios of one test file share, to start them once.
import { startScenario, type Scenario } from '../../support/processes/scenario.ts';
import { loopbackRange } from '../../support/services/destination.ts';

export let scenario: Scenario;

beforeAll(async () => {
  const env = { INLET_ALLOWED_DESTINATIONS: loopbackRange.join(',') };
  scenario = await startScenario('api_scenarios', { env });
});
afterAll(() => scenario.close());
