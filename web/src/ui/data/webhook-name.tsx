import { useIntl } from 'react-intl';
import { Link } from 'react-aria-components';
import { useApiQuery } from '../../api/use-api.ts';

export function useWebhookName(id: string): string {
  const { formatMessage } = useIntl();
  const webhook = useApiQuery('getWebhook', { params: { id } }, { skipFocusRefetch: true });
  return webhook.data?.name ?? (webhook.isError ? formatMessage({ id: 'events.noWebhook' }) : '…');
}

export function WebhookName({ id }: { readonly id: string }) {
  return (
    <Link href={`/webhooks/${id}`} className="break">
      {useWebhookName(id)}
    </Link>
  );
}
