/**
 * A dry run of one dead letter with the active mapping version: shows whether a replay would succeed. Has no
 * effects.
 */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { reasonText } from '../../ui/reasons/reasons.tsx';

export type DeadGroup = Answer<'listDeadLetters'>['results'][number];

export function DryRun({ group }: { readonly group: DeadGroup }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { webhookId, exampleEventId, action } = group;
  const webhook = useApiQuery('getWebhook', { params: { id: webhookId } });
  const event = useApiQuery('getEvent', { params: { id: exampleEventId } });
  const version = webhook.data?.activeVersion ?? null;
  const given = event.data;
  // An item cannot be mapped without its batch, and only mapping problems can be tried.
  const isTried =
    version !== null &&
    action.code === 'fix_mapping' &&
    given !== undefined &&
    given.payload !== null &&
    given.parentId === null;
  const preview = useApiQuery(
    'previewWebhookMappings',
    {
      params: { id: webhookId },
      body: {
        version: version ?? 1,
        payload: {
          body: given?.payload as object,
          headers: given?.headers as Record<string, string>,
          query: given?.query as Record<string, string>,
        },
      },
    },
    { enabled: isTried },
  );
  if (!isTried || preview.isError) return null;
  if (preview.isPending) return <Loading lines={1} />;
  const failure = preview.data.items.find((item) => item.failure !== null)?.failure ?? null;
  const [first] = preview.data.items;
  const hasNoContact =
    failure === null &&
    preview.data.items.length === 1 &&
    [
      first?.contact.externalId,
      first?.contact.phone,
      first?.contact.email,
      first?.contact.document,
    ].every((one) => !one);
  // A replay is dead again, unless the contact exists by then.
  const isEmptyPerson =
    failure === null &&
    first !== undefined &&
    preview.data.items.length === 1 &&
    (['name', 'phone', 'email'] as const).every(
      (target) => first.contact[target] === null && `contact.${target}` in first.sources,
    );
  const found = isEmptyPerson ? 'person_empty' : failure;
  const reason = hasNoContact ? 'contact_unidentified' : found;
  if (reason !== null) {
    return (
      <Note tone="warn" isLive>
        <p>
          {formatMessage(
            { id: 'dead.dryRun.fails' },
            { version, reason: reasonText(intl, reason) },
          )}
        </p>
      </Note>
    );
  }
  const name = first?.contact.name ?? first?.contact.phone ?? first?.contact.email ?? '–';
  return (
    <Note tone="good" isLive>
      <p>{formatMessage({ id: 'dead.dryRun.passes' }, { version, name })}</p>
    </Note>
  );
}
