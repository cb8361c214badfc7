// Records what people wrote, what agents sent, and what the services posted about sent messages, with the answers of Inlet.
import type { SentStatus } from '../../../support/destinations/whatsapp-cloud.ts';
import type { ChannelName, Person } from './channels.ts';
import type { DestinationFault } from './stand-ins.ts';

/** A message of a person. `isAcknowledged`: a request with it was answered 200. */
export type Incoming = {
  readonly person: Person;
  readonly text: string;
  isAcknowledged: boolean;
};

/** A message of an agent. `id`: Inlet's; null while no answer told it. */
export type Outgoing = {
  readonly channel: ChannelName;
  readonly chatId: string;
  readonly text: string;
  id: string | null;
};

/** What the service says of a message that it accepted. */
export type PostedStatus = {
  readonly channel: ChannelName;
  readonly externalId: string;
  readonly status: SentStatus;
  /** Whether the service has accepted a message under this id. */
  readonly isKnown: boolean;
  isAcknowledged: boolean;
};

type DestinationFaultPeriod = {
  readonly channel: ChannelName;
  readonly kind: DestinationFault;
  readonly from: number;
  readonly until: number;
};

export type DestinationLedger = {
  readonly incoming: Incoming[];
  readonly outgoing: Outgoing[];
  readonly statuses: PostedStatus[];
  readonly faults: DestinationFaultPeriod[];
  /** Requests to Inlet, those that were repeated included. */
  posts: number;
};

export const createDestinationLedger = (): DestinationLedger => ({
  incoming: [],
  outgoing: [],
  statuses: [],
  faults: [],
  posts: 0,
});
