import { systemClock } from '../../../src/base/clock.ts';
import { runWithoutDeadline } from '../../../src/base/process/deadline.ts';
import { createDefinitionCache } from '../../../src/processing/read/definition-cache.ts';
import { readSet } from '../../../src/processing/read/read-set.ts';
import { createStoredBodies } from '../../../src/producers/stored-body.ts';
import { eventRecordOf } from '../../support/fixtures/event-record.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

test('the webhook, the channel and the mapping of an event are read at the same time', async () => {
  const asked: string[] = [];
  let answer = (): void => undefined;
  const allAsked = new Promise<void>((resolve) => (answer = resolve));
  const readOf = (name: string) => async () => {
    if (asked.push(name) === 3) answer();
    await allAsked;
    return null;
  };
  const bodies = createStoredBodies({ mappings: { get: readOf('mapping') } });
  const definitions = createDefinitionCache({
    webhooks: { get: readOf('webhook') },
    channels: { get: readOf('channel') },
  });
  const events = { getMany: () => Promise.resolve([]) };
  const terms = { defaultRegion: 'BR', logger: silentLogger(), clock: systemClock };
  const deps = { events, definitions, bodies, ...terms, withDeadline: runWithoutDeadline };
  await readSet(deps, [eventRecordOf('e1')]);
  expect(asked.slice(0, 3).toSorted()).toEqual(['channel', 'mapping', 'webhook']);
}, 5_000);
