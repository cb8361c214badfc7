// All pairs of stops of two workers.
import { testInterleavings } from '../support/context/interleavings.ts';

jest.setTimeout(900_000);

testInterleavings('all');
