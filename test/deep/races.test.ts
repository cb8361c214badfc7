// All stops of the races of a set, each also with a lost answer of the commit.
import { chatRaces } from '../support/context/chat-races.ts';
import { eventRaces } from '../support/context/event-races.ts';
import { peopleRaces } from '../support/context/people-races.ts';
import { testRaces } from '../support/context/races.ts';

jest.setTimeout(900_000);

describe('people', () => {
  testRaces('people', peopleRaces, 'all');
});
describe('chats', () => {
  testRaces('chats', chatRaces, 'all');
});
describe('events', () => {
  testRaces('events', eventRaces, 'all');
});
