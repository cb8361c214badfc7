/** Starts a chat with a contact, or finds the open one, and shows it in the inbox. */
import { useIntl } from 'react-intl';
import { useNavigate } from 'react-router';
import { useApiMutation } from '../../api/use-api.ts';
import { useAgentHeaders } from '../../session/agent.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Button } from '../../ui/forms/button.tsx';

type Props = { readonly contactId: string; readonly channelId: string };

export function StartChat({ contactId, channelId }: Props) {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const headers = useAgentHeaders();
  const start = useApiMutation('startChat', {
    invalidates: ['getContact', 'listChats'],
    onClose: ({ chat_id: chatId }) => void navigate(`/inbox?chat=${chatId}`),
  });
  return (
    <div>
      <Button
        isSmall
        isDisabled={start.isPending}
        onPress={() =>
          start.mutate({ body: { contact_id: contactId, worker_id: channelId }, headers })
        }
      >
        {formatMessage({ id: 'contacts.startChat' })}
      </Button>
      {start.isError && <ErrorNote error={start.error} />}
    </div>
  );
}
