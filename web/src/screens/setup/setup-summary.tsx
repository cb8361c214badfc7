/** The result of the first step. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { DescriptionList } from '../../ui/data/description-list.tsx';
import { useProducer } from '../../api/use-producer.ts';

type Props = { readonly webhook: Answer<'getWebhook'>; readonly isWhole?: boolean };

export function SetupSummary({
  webhook: { id, name, channelId, producerProfile },
  isWhole = false,
}: Props) {
  const { formatMessage } = useIntl();
  const channel = useApiQuery('getChannel', { params: { id: channelId } });
  const producer = useProducer(producerProfile);
  const channelName = channel.data?.name ?? '…';
  if (!isWhole) {
    return <p className="soft small break">{`${name} → ${channelName}`}</p>;
  }
  return (
    <>
      <DescriptionList
        items={[
          [formatMessage({ id: 'setup.name' }), name],
          [formatMessage({ id: 'setup.channel' }), channelName],
          [
            formatMessage({ id: 'setup.producer' }),
            producerProfile === 'generic'
              ? formatMessage({ id: 'setup.anySender' })
              : (producer?.title ?? '…'),
          ],
        ]}
      />
      <p className="soft small">{formatMessage({ id: 'setup.madeHint' })}</p>
      <div>
        <LinkButton isSmall href={`/webhooks/${id}`}>
          {formatMessage({ id: 'setup.toWebhook' })}
        </LinkButton>
      </div>
    </>
  );
}
