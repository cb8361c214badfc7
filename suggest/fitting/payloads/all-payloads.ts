/** All invented payloads, beside those of real producers in `suggest/corpora`. */
import { formAnswerLists } from './form-answer-lists.ts';
import { databasesAndRelays } from './databases-and-relays.ts';
import { crmDeals } from './crm-deals.ts';
import type { Fixture } from '../fixture.ts';
import { formsAndAds } from './forms-and-ads.ts';
import { customMultilingual } from './custom-multilingual.ts';
import { marketingAndOrders } from './marketing-and-orders.ts';
import { billingAndCalls } from './billing-and-calls.ts';
import { prefixesAndEnvelopes } from './prefixes-and-envelopes.ts';
import { ordersWithSellers } from './orders-with-sellers.ts';
import { notificationsAndLanguages } from './notifications-and-languages.ts';
import { ambiguousPeople } from './ambiguous-people.ts';
import { crmAndHelpDesks } from './crm-and-help-desks.ts';
import { shopsAndPayments } from './shops-and-payments.ts';
import { messengersAndBookings } from './messengers-and-bookings.ts';

export const fixtures: readonly Fixture[] = [
  [
    formsAndAds,
    crmAndHelpDesks,
    shopsAndPayments,
    marketingAndOrders,
    databasesAndRelays,
    billingAndCalls,
  ],
  [
    formAnswerLists,
    crmDeals,
    ordersWithSellers,
    messengersAndBookings,
    customMultilingual,
    prefixesAndEnvelopes,
    ambiguousPeople,
    notificationsAndLanguages,
  ],
].flat(2);
