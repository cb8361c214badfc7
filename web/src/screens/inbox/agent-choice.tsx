/** Chooses the agent for whom this browser acts. */
import { useEffect } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { chooseAgent, useAgentId } from '../../session/agent.ts';
import { Select } from '../../ui/forms/field.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import styles from './inbox.module.css';

const none = 'none';

/** Renders nothing while no agent exists. */
export function AgentChoice() {
  const { formatMessage } = useIntl();
  const agentId = useAgentId();
  const agents = useApiQuery('listActiveUsers', {}).data;
  const isGone = agents !== undefined && !agents.some(({ user_id: id }) => id === agentId);
  useEffect(() => {
    if (agentId === null || !isGone) return;
    chooseAgent(null);
    showToast(formatMessage({ id: 'inbox.agent.gone' }));
  }, [agentId, isGone, formatMessage]);
  if (agents === undefined || agents.length === 0) return null;
  return (
    <div className={styles.inboxAgent}>
      <Select
        label={formatMessage({ id: 'inbox.agent' })}
        isLabelHidden
        choices={[
          { id: none, label: formatMessage({ id: 'inbox.agent.none' }) },
          ...agents.map((one) => ({ id: one.user_id, label: agentNameOf(one) })),
        ]}
        value={agentId ?? none}
        onChange={(id) => chooseAgent(id === none ? null : id)}
      />
    </div>
  );
}
