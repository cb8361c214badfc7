import { systemClock } from '../../../src/base/clock.ts';
import { runWithoutDeadline } from '../../../src/base/process/deadline.ts';
import { createDefinitionCache } from '../../../src/processing/read/definition-cache.ts';
import { readSet } from '../../../src/processing/read/read-set.ts';
import { createStoredBodies } from '../../../src/producers/stored-body.ts';
import { eventRecordOf } from '../../support/fixtures/event-record.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { scriptedConnection } from '../../support/context/scripted-connection.ts';

test('the webhooks, channels and mappings of a set are read at the same time, each by one statement', async () => {
  const asked: string[] = [];
  let answer = (): void => undefined;
  const allAsked = new Promise<void>((resolve) => (answer = resolve));
  const readOf = (name: string) => async (keys: readonly unknown[]) => {
    if (asked.push(`${keys.length} of ${name}`) === 3) answer();
    await allAsked;
    return [];
  };
  const [logger, clock] = [silentLogger(), systemClock];
  const bodies = createStoredBodies({ mappings: { getMany: readOf('mappings') } });
  const definitions = createDefinitionCache({
    connection: scriptedConnection((name, [filter]) => {
      const { _id } = filter as { readonly _id?: { readonly $in: readonly string[] } };
      // Without ids it is the poll of changes.
      return _id ? readOf(name.replace('.find', ''))(_id.$in) : [];
    }),
    logger,
    clock,
  });
  const events = { getMany: () => Promise.resolve([]) };
  const deps = { events, definitions, bodies, defaultRegion: 'BR', logger, clock };
  const set = ['e1', 'e2', 'e3'].map((id) => ({
    ...eventRecordOf(id),
    webhookId: `w-${id}`,
    channelId: 'c',
  }));
  await readSet({ ...deps, withDeadline: runWithoutDeadline }, set);
  definitions.close();
  expect(asked.slice(0, 3).toSorted()).toEqual(['1 of channels', '3 of mappings', '3 of webhooks']);
}, 5_000);
