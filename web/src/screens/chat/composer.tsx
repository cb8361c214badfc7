/** Writes a message: text, files and a quoted message. Enter sends, Shift and Enter starts a line. */
import { useQueryClient } from '@tanstack/react-query';
import { Paperclip, SendHorizontal, X } from 'lucide-react';
import type { FormEvent, KeyboardEvent } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { useMountedRef } from '../../api/use-api.ts';
import { useAgentHeaders } from '../../session/agent.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import {
  changeDraft,
  isEmptyDraft,
  sendDraft,
  useOutbox,
  type Draft,
  type Quoted,
} from './outbox.ts';
import { focusList } from './shortcuts.ts';
import styles from './chat.module.css';

const maxFiles = 10;
const maxTextLength = 65_536;

/** The part of the form for a file, by its type. The server judges the type by the bytes. */
const partOf = ({ type }: File): string => {
  const [kind = ''] = type.split('/');
  return ['image', 'video', 'audio'].includes(kind) ? `${kind}s` : 'documents';
};

function formOf({ text, files, quoted }: Draft): FormData {
  const form = new FormData();
  if (text.trim() !== '') form.append('message', text);
  if (quoted) form.append('message_quoted_id', quoted.id);
  for (const file of files) form.append(partOf(file), file, file.name);
  return form;
}

const contentOf = (draft: Draft) =>
  draft.files.length > 0
    ? { form: formOf(draft) }
    : {
        body: {
          type: 'text' as const,
          message: draft.text,
          ...(draft.quoted && { message_quoted_id: draft.quoted.id }),
        },
      };

type Props = {
  readonly chatId: string;
  /** The name of the contact. */
  readonly name: string;
};

function useSubmit({ chatId, name }: Props): () => void {
  const { formatMessage } = useIntl();
  const queries = useQueryClient();
  const agent = useAgentHeaders();
  const isMounted = useMountedRef();
  async function send(draft: Draft): Promise<void> {
    const headers = { ...agent, 'idempotency-key': draft.key };
    await client.call('sendMessage', { params: { chatId }, headers, ...contentOf(draft) });
    void queries.invalidateQueries({ queryKey: ['listContactChatMessages'] });
  }
  return () =>
    void sendDraft(chatId, send).then((error) => {
      if (error && !isMounted.current)
        showToast(
          formatMessage({ id: 'inbox.notSent' }, { name }),
          undefined,
          `not sent ${chatId}`,
        );
    });
}

export function Composer(props: Props) {
  const { chatId } = props;
  const { formatMessage } = useIntl();
  const { draft, error } = useOutbox(chatId);
  const submit = useSubmit(props);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') return focusList();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  }

  return (
    <form
      data-part="composer"
      className={styles.inboxComposer}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      {error && <ErrorNote error={error} />}
      {draft.quoted && (
        <QuotedText quoted={draft.quoted} onUnquote={() => changeDraft(chatId, { quoted: null })} />
      )}
      {draft.files.length > 0 && (
        <FileChips
          files={draft.files}
          onRemove={(file) =>
            changeDraft(chatId, { files: draft.files.filter((one) => one !== file) })
          }
        />
      )}
      <div className={styles.inboxComposerLine}>
        <FileTrigger
          allowsMultiple
          onSelect={(list) =>
            changeDraft(chatId, { files: [...draft.files, ...(list ?? [])].slice(0, maxFiles) })
          }
        >
          <IconButton label={formatMessage({ id: 'inbox.attach' })}>
            <Paperclip aria-hidden />
          </IconButton>
        </FileTrigger>
        <TextField
          label={formatMessage({ id: 'inbox.write' })}
          isLabelHidden
          lines={2}
          placeholder={formatMessage({ id: 'inbox.write.hint' })}
          value={draft.text}
          maxLength={maxTextLength}
          onChange={(text) => changeDraft(chatId, { text })}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          variant="primary"
          aria-label={formatMessage({ id: 'inbox.send' })}
          isDisabled={isEmptyDraft(draft)}
        >
          <SendHorizontal aria-hidden />
          <span className={styles.inboxSendText}>{formatMessage({ id: 'inbox.send' })}</span>
        </Button>
      </div>
    </form>
  );
}

function QuotedText({
  quoted,
  onUnquote,
}: {
  readonly quoted: Quoted;
  readonly onUnquote: () => void;
}) {
  const { formatMessage } = useIntl();
  return (
    <div className={styles.inboxQuoted}>
      <blockquote className="small soft clip">{quoted.text}</blockquote>
      <IconButton isSmall label={formatMessage({ id: 'inbox.unquote' })} onPress={onUnquote}>
        <X aria-hidden />
      </IconButton>
    </div>
  );
}

function FileChips({
  files,
  onRemove,
}: {
  readonly files: readonly File[];
  readonly onRemove: (file: File) => void;
}) {
  const { formatMessage } = useIntl();
  return (
    <ul className={styles.inboxChips} aria-label={formatMessage({ id: 'inbox.files' })}>
      {files.map((file) => (
        <li key={`${file.name} ${file.size} ${file.lastModified}`}>
          <span className="clip small">{file.name}</span>
          <IconButton
            isSmall
            label={formatMessage({ id: 'inbox.file.remove' }, { name: file.name })}
            onPress={() => onRemove(file)}
          >
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
