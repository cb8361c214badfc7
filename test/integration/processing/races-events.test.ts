// Some of the stops, by a seed that is printed. The deep tier has all.
import { eventRaces } from '../../support/context/event-races.ts';
import { testRaces } from '../../support/context/races.ts';

jest.setTimeout(300_000);

testRaces('events', eventRaces, 'some');
