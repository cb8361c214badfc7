/** Every lot of payloads that no producer's documentation gave. */
import { formAnswerLists } from './answers.ts';
import { databasesAndRelays } from './chats.ts';
import { crmDeals } from './deals.ts';
import type { Fixture } from './fixture.ts';
import { formsAndAds } from './forms.ts';
import { customMultilingual } from './homemade.ts';
import { marketingAndOrders } from './later.ts';
import { billingAndCalls } from './ledger.ts';
import { prefixesAndEnvelopes } from './mixture.ts';
import { ordersWithSellers } from './orders.ts';
import { ambiguousPeople } from './pairs.ts';
import { crmAndHelpDesks } from './sales.ts';
import { shopsAndPayments } from './shops.ts';
import { messengersAndBookings } from './talks.ts';

export const fixtures: readonly Fixture[] = [
  [formsAndAds, crmAndHelpDesks, shopsAndPayments, marketingAndOrders, databasesAndRelays, billingAndCalls],
  [formAnswerLists, crmDeals, ordersWithSellers, messengersAndBookings, customMultilingual, prefixesAndEnvelopes, ambiguousPeople],
].flat(2);
