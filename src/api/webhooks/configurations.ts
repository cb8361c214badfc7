/** Webhooks with everything that configuration files describe. Reads a page in three queries, however many webhooks it has. */
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { NoticeRules } from '../../domain/notices/rules.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { WebhookFilter } from '../../store/webhooks/webhooks.ts';
import type { ApiContext } from '../context.ts';

export type WebhookConfiguration = {
  readonly webhook: Webhook;
  readonly noticeRules: NoticeRules;
  readonly active: MappingVersion | null;
  readonly newest: MappingVersion | null;
};

export async function listConfigurations(
  { webhooks, mappings, noticeRules }: ApiContext,
  filter: WebhookFilter,
  page: Page,
): Promise<Paged<WebhookConfiguration>> {
  const { results, ...counted } = await webhooks.list(filter, page);
  const versions = results.flatMap(({ _id: webhookId, activeVersion, lastVersion }) =>
    [...new Set([activeVersion ?? 0, lastVersion])]
      .filter((version) => version > 0)
      .map((version) => ({ webhookId, version })),
  );
  const [found, rules] = await Promise.all([
    mappings.getMany(versions),
    noticeRules.getMany(results.map(({ _id }) => _id)),
  ]);
  const versionOf = ({ _id }: Webhook, wanted: number | null) =>
    found.find(({ webhookId, version }) => webhookId === _id && version === wanted) ?? null;
  const configurations = results.map((webhook) => ({
    webhook,
    noticeRules: rules.get(webhook._id) ?? {},
    active: versionOf(webhook, webhook.activeVersion),
    newest: versionOf(webhook, webhook.lastVersion),
  }));
  return { ...counted, results: configurations };
}
