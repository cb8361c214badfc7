// The cluster, clients, people and ledger of a run or of a mutation scenario.
import { mkdirSync } from 'node:fs';
import { createClient } from '../../../support/processes/client.ts';
import { adminToken } from '../../../support/processes/roles.ts';
import type { TestMongo, TestServer } from '../../../support/services/services.ts';
import { createApi, type Api } from './retrying-api.ts';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.ts';
import type { ReplicaSet } from './replica-set.ts';
import { createLedger, type Ledger } from '../load/ledger.ts';
import { createAgents } from '../load/agents.ts';
import type { Random } from '../load/random.ts';
import { createOperator, type Operator } from '../load/operator.ts';
import { peopleOf, type Person } from '../load/people.ts';
import type { MutationName } from '../preload/mutations.mjs';
import { createSender, type Sender } from '../load/senders.ts';
import { setUp, type Targets } from '../load/webhooks.ts';
import { destinationEnv } from '../destinations/channels.ts';
import { createDestinations, type Destinations } from '../destinations/destinations.ts';
import { createAbuseTargets, type AbuseTargets } from '../abuse/webhooks.ts';

export type TestBedOptions = {
  readonly mongo: TestMongo | ReplicaSet;
  readonly redis: TestServer;
  readonly database: string;
  readonly servers: number;
  readonly workers: number;
  readonly leaseMs: number;
  readonly people: number;
  /** Where the output of the processes is kept. */
  readonly folder: string;
  readonly mutation?: MutationName;
  /** Default: one that is started, and closed with the test bed. */
  readonly cluster?: Cluster;
  readonly release?: ClusterOptions['release'];
  readonly env?: NodeJS.ProcessEnv;
  /** Starts a balancer in front of the servers, and returns its URL. Default: senders use the servers themselves. */
  readonly balance?: (cluster: Cluster) => Promise<string>;
  /** Whether the test bed has webhooks for a steady sender and attackers. */
  readonly hasSteadySender?: boolean;
  /** Whether it has channels that send messages out of Inlet. */
  readonly hasDestinations?: boolean;
};

export type TestBed = {
  readonly cluster: Cluster;
  readonly api: Api;
  readonly ledger: Ledger;
  readonly targets: Targets;
  readonly abuseTargets: AbuseTargets | null;
  readonly destinations: Destinations | null;
  readonly people: readonly Person[];
  readonly operator: Operator;
  readonly actAsAgent: (random: Random) => Promise<void>;
  readonly sender: Sender;
  readonly urls: readonly string[];
  close(): Promise<void>;
};

export async function createTestBed(options: TestBedOptions): Promise<TestBed> {
  mkdirSync(options.folder, { recursive: true });
  const env = { ...(options.hasDestinations && destinationEnv), ...options.env };
  const cluster = options.cluster ?? (await startCluster({ ...options, env }));
  const urls = options.balance
    ? [await options.balance(cluster)]
    : cluster.servers.map(({ url }) => url);
  const ledger = createLedger();
  const api = createApi(urls, ledger.wrongAnswers);
  const client = createClient({ url: () => urls[0] ?? '', token: adminToken });
  const targets = await setUp(client);
  const abuseTargets = options.hasSteadySender ? await createAbuseTargets(client) : null;
  const { wrongAnswers } = ledger;
  const destinations = options.hasDestinations
    ? await createDestinations({ api, client, urls, wrongAnswers, leaseMs: options.leaseMs })
    : null;
  const sender = createSender({ urls, targets, ledger });
  return {
    cluster,
    api,
    ledger,
    targets,
    abuseTargets,
    destinations,
    people: peopleOf(options.people),
    operator: createOperator(api, targets),
    actAsAgent: createAgents({ api, ledger, targets }),
    sender,
    urls,
    async close() {
      sender.close();
      if (!options.cluster) await cluster.close();
      await destinations?.close();
    },
  };
}
