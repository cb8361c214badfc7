// Some of the stops, by a seed that is printed. The deep tier has all.
import { peopleRaces } from '../../support/context/people-races.ts';
import { testRaces } from '../../support/context/races.ts';

jest.setTimeout(300_000);

testRaces('people', peopleRaces, 'some');
