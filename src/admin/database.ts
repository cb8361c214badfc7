/**
 * Verifies what the promises rest on, as after a restore: the unique indexes, and the secrets under the configured keys; on
 * request also the records: the chain of the audit log, the active mappings, and the effects of the last finished events.
 */
import type { createAuditLog } from './audit-log.ts';
import type { AdminDeps } from './dependencies.ts';
import {
  databaseFindings,
  recordFindings,
  type RecordFacts,
} from './findings/database-findings.ts';
import type { Finding } from './findings/finding.ts';

type DatabaseDeps = Omit<AdminDeps, 'audit'> & {
  readonly audit: Pick<ReturnType<typeof createAuditLog>, 'verify'>;
};

/** Of the webhooks whose mappings are read at once. */
const webhooksPerPage = 200;
const lastEvents = 50;

export function createDatabaseVerification(deps: DatabaseDeps) {
  const { databaseState, storedSecrets, vault, webhooks, mappings, events, audit } = deps;

  async function readMappings(): Promise<RecordFacts['mappings']> {
    let [active, readable] = [0, 0];
    for (let skip = 0; ; skip += webhooksPerPage) {
      const page = { skip, limit: webhooksPerPage, sort: { createdAt: 1 } } as const;
      const { results } = await webhooks.list({}, page);
      const wanted = results.flatMap(({ _id: webhookId, activeVersion: version }) =>
        version === null ? [] : { webhookId, version },
      );
      active += wanted.length;
      readable += (await mappings.getMany(wanted)).length;
      if (results.length < webhooksPerPage) return { active, readable };
    }
  }

  async function readEvents(): Promise<RecordFacts['events']> {
    const order = { field: 'receivedAt', direction: -1 } as const;
    const { results } = await events.search(
      { state: ['done'], parents: true },
      { order, skip: 0, limit: lastEvents },
    );
    // An erased event keeps the ids of what was erased, and a body that was split has no effects of its own.
    const made = results.filter(({ erased, items }) => !erased && typeof items !== 'number');
    const effects = made.flatMap((event) => event.effects ?? []);
    const lacking = made.length - (await databaseState.countStored(effects));
    return { finished: results.length, whole: results.length - lacking };
  }

  return {
    async verify({ records = false }: { readonly records?: boolean }, signal: AbortSignal) {
      const facts = {
        missingIndexes: await databaseState.missingIndexes(),
        secrets: await storedSecrets.verify(vault),
      };
      const findings: Finding[] = databaseFindings(facts);
      if (!records) return { ...facts, findings };
      const chain = await audit.verify(undefined, signal);
      const more = { chain, mappings: await readMappings(), events: await readEvents() };
      return { ...facts, findings: [...findings, ...recordFindings(more)] };
    },
  };
}
