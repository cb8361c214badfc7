/**
 * Writes a message: text, files and a quoted message. Enter sends, Shift and Enter starts a line.
 *
 * Promises: a text that is not sent is kept in this tab. A repeated attempt after a lost answer sends nothing twice.
 */
import { Paperclip, SendHorizontal, X } from 'lucide-react';
import { useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiMutation } from '../../api/use-api.ts';
import { useAgentHeaders } from '../../session/agent.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';

export type Quoted = { readonly id: string; readonly text: string };

type Props = {
  readonly chatId: string;
  readonly quoted: Quoted | null;
  readonly onUnquote: () => void;
};

const maxFiles = 10;
const maxTextLength = 65_536;

const draftKey = (chatId: string): string => `inlet.reply.${chatId}`;

function saveDraft(chatId: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey(chatId));
  else sessionStorage.setItem(draftKey(chatId), text);
}

/** The part of the form for a file, by its type. The server judges the type by the bytes. */
const partOf = ({ type }: File): string => {
  const [kind = ''] = type.split('/');
  return ['image', 'video', 'audio'].includes(kind) ? `${kind}s` : 'documents';
};

function formOf(
  text: string,
  { files, quoted }: { files: readonly File[]; quoted: Quoted | null },
) {
  const form = new FormData();
  if (text.trim() !== '') form.append('message', text);
  if (quoted) form.append('message_quoted_id', quoted.id);
  for (const file of files) form.append(partOf(file), file, file.name);
  return form;
}

export function Composer({ chatId, quoted, onUnquote }: Props) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(() => sessionStorage.getItem(draftKey(chatId)) ?? '');
  const [files, setFiles] = useState<readonly File[]>([]);
  // One key for each message: a repeated attempt has the same.
  const key = useRef(crypto.randomUUID());
  const headers = useAgentHeaders();
  const send = useApiMutation('sendMessage', {
    invalidates: ['listContactChatMessages', 'listChats', 'getChatDetails', 'countUnreadChats'],
    onDone: () => saveDraft(chatId, ''),
    onClose: () => {
      key.current = crypto.randomUUID();
      setText('');
      setFiles([]);
      onUnquote();
    },
  });
  const isEmpty = text.trim() === '' && files.length === 0;

  function change(next: string): void {
    // Another text is another message.
    if (send.isError) key.current = crypto.randomUUID();
    setText(next);
    saveDraft(chatId, next);
  }

  function submit(event?: FormEvent): void {
    event?.preventDefault();
    if (isEmpty || send.isPending) return;
    const common = {
      params: { chatId },
      headers: { ...headers, 'idempotency-key': key.current },
    };
    if (files.length > 0) send.mutate({ ...common, form: formOf(text, { files, quoted }) });
    else
      send.mutate({
        ...common,
        body: { type: 'text', message: text, ...(quoted && { message_quoted_id: quoted.id }) },
      });
  }

  function onKeyDown(event: KeyboardEvent): void {
    const isSending = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    if (!isSending) return;
    event.preventDefault();
    submit();
  }

  return (
    <form className="inbox-composer" onSubmit={submit}>
      {send.isError && <ErrorNote error={send.error} />}
      {quoted && <QuotedText quoted={quoted} onUnquote={onUnquote} />}
      {files.length > 0 && (
        <FileChips
          files={files}
          onRemove={(file) => setFiles(files.filter((one) => one !== file))}
        />
      )}
      <div className="inbox-composer-line">
        <FileTrigger
          allowsMultiple
          onSelect={(list) => setFiles([...files, ...(list ?? [])].slice(0, maxFiles))}
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
          value={text}
          maxLength={maxTextLength}
          onChange={change}
          onKeyDown={onKeyDown}
        />
        <Button
          type="submit"
          variant="primary"
          aria-label={formatMessage({ id: 'inbox.send' })}
          isDisabled={isEmpty || send.isPending}
        >
          <SendHorizontal aria-hidden />
          <span className="inbox-send-text">{formatMessage({ id: 'inbox.send' })}</span>
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
    <div className="inbox-quoted">
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
    <ul className="inbox-chips" aria-label={formatMessage({ id: 'inbox.files' })}>
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
