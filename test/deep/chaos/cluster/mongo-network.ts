// The proxies of one process to MongoDB, and the environment that makes the process use them.
import { testMongoUrl, type TestMongo } from '../../../support/services/services.ts';
import { createProxy, combineProxies, type Network } from '../../../support/services/proxy.ts';
import { isReplicaSet, type ReplicaSet } from './replica-set.ts';

export async function createMongoNetwork(
  mongo: TestMongo | ReplicaSet,
  database: string,
): Promise<{ network: Network; env: NodeJS.ProcessEnv }> {
  if (!isReplicaSet(mongo)) {
    const proxy = await createProxy(mongo.port);
    // A direct connection: replica set discovery would bypass the proxy.
    const url = `mongodb://127.0.0.1:${proxy.port}/${database}?directConnection=true`;
    return { network: proxy, env: { MONGODB_URL: url } };
  }
  const proxies = await Promise.all(mongo.members.map(({ server }) => createProxy(server.port)));
  // Replica set discovery gives the process the ports of the proxies, so its preload replaces them.
  const routes = mongo.members.map(({ memberProxy }, n) => [memberProxy.port, proxies[n]?.port]);
  return {
    network: combineProxies(proxies),
    env: {
      MONGODB_URL: testMongoUrl(database, mongo.url),
      CHAOS_ROUTES: JSON.stringify(Object.fromEntries(routes)),
    },
  };
}
