// Some pairs of stops of two workers, by a seed that is printed. The deep tier has all.
import { testInterleavings } from '../../support/context/interleavings.ts';

jest.setTimeout(300_000);

testInterleavings('some');
