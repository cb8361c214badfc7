/** Dead letters of earlier versions that the active version may fix. */
import { useIntl } from 'react-intl';
import { totalOf, useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';

type Props = { readonly webhookId: string; readonly active: number };

export function RemainingDeadLetters({ webhookId, active }: Props) {
  const { formatMessage } = useIntl();
  const groups = useDeadLetterCounts([webhookId])?.groups ?? [];
  const isMendable = ({ action, mappingVersions }: (typeof groups)[number]) =>
    action.code === 'fix_mapping' && !mappingVersions.includes(active);
  const count = totalOf(groups.filter(isMendable));
  if (count === 0) return null;
  return (
    <Note tone="info" isLive>
      <span className="row">
        {formatMessage({ id: 'versions.leftDead' }, { count, active })}
        <LinkButton isSmall href={`/dead-letters?webhookId=${webhookId}`}>
          {formatMessage({ id: 'versions.toDead' })}
        </LinkButton>
      </span>
    </Note>
  );
}
