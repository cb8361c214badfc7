/** The name of a chat: that of its contact, or else its number. */
import { useIntl } from 'react-intl';

type Named = { readonly name: string | null; readonly phone: string | null };

const maxLength = 80;

export function useChatName(): (chat: Named) => string {
  const { formatMessage } = useIntl();
  return ({ name, phone }) => {
    const found = [name, phone].find((one) => one?.trim());
    return found ? found.slice(0, maxLength) : formatMessage({ id: 'contacts.nameless' });
  };
}
