/** Every lot of payloads that no producer's documentation gave. */
import { answers } from './answers.ts';
import { chats } from './chats.ts';
import { deals } from './deals.ts';
import type { Fixture } from './fixture.ts';
import { forms } from './forms.ts';
import { homemade } from './homemade.ts';
import { later } from './later.ts';
import { ledger } from './ledger.ts';
import { mixture } from './mixture.ts';
import { orders } from './orders.ts';
import { pairs } from './pairs.ts';
import { sales } from './sales.ts';
import { shops } from './shops.ts';
import { talks } from './talks.ts';

export const fixtures: readonly Fixture[] = [
  [forms, sales, shops, later, chats, ledger],
  [answers, deals, orders, talks, homemade, mixture, pairs],
].flat(2);
