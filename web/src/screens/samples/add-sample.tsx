/** Adds a sample by hand: pasted, from files, or from a stored event. */
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone, FileTrigger, Text, type FileDropItem } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { useMountedRef, useApiQuery, useInvalidate } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { contentTypeOf, contentTypeOfFile } from './content-type.ts';
import styles from './samples.module.css';

type Props = {
  readonly webhookId: string;
  readonly onClose: () => void;
  readonly onAdded: (sampleId: string) => void;
};

type Wanted = {
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly eventId?: string;
  readonly name?: string;
};

/** The maximum number of files at once. */
const maxFiles = 20;

function useAdd({ webhookId, onAdded }: Props) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const isMounted = useMountedRef();
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({
    isBusy: false,
    error: null,
  });
  async function add(wanted: readonly Wanted[]) {
    setState({ isBusy: true, error: null });
    let last: string | null = null;
    try {
      for (const body of wanted) {
        last = (await client.call('createWebhookSample', { params: { id: webhookId }, body })).id;
      }
      setState({ isBusy: false, error: null });
    } catch (error) {
      setState({ isBusy: false, error });
    }
    refresh('listWebhookSamples', 'getWebhook', 'listWebhooks');
    if (last === null) return;
    showToast(formatMessage({ id: 'samples.added' }));
    if (isMounted.current) onAdded(last);
  }
  return { ...state, add };
}

export function AddSample(props: Props) {
  const { formatMessage } = useIntl();
  const { isBusy, error, add } = useAdd(props);
  const [text, setText] = useState('');
  const addFiles = async (files: readonly File[]) => {
    const read = files.slice(0, maxFiles).map(async (file) => ({
      rawBody: await file.text(),
      contentType: contentTypeOfFile(file),
      name: file.name.slice(0, 100),
    }));
    await add(await Promise.all(read));
  };
  return (
    <Dialog title={formatMessage({ id: 'samples.addTitle' })} isOpen isWide onClose={props.onClose}>
      <p className="soft">{formatMessage({ id: 'samples.addHint' })}</p>
      {error !== null && <ErrorNote error={error} />}
      <TextField
        label={formatMessage({ id: 'samples.paste' })}
        value={text}
        onChange={setText}
        lines={8}
        placeholder={'{ "lead": { "name": "Ana" } }'}
      />
      <div className="row">
        <Button
          variant="primary"
          isDisabled={isBusy || text.trim() === ''}
          onPress={() => void add([{ rawBody: text, contentType: contentTypeOf(text) }])}
        >
          {formatMessage({ id: 'samples.addPasted' })}
        </Button>
      </div>
      <Files isBusy={isBusy} onFiles={(files) => void addFiles(files)} />
      <FromEvent
        webhookId={props.webhookId}
        isBusy={isBusy}
        onEvent={(eventId) => void add([{ eventId }])}
      />
      <div className="actions">
        <Button onPress={props.onClose}>{formatMessage({ id: 'ui.close' })}</Button>
      </div>
    </Dialog>
  );
}

type FilesProps = {
  readonly isBusy: boolean;
  readonly onFiles: (files: readonly File[]) => void;
};

function Files({ isBusy, onFiles }: FilesProps) {
  const { formatMessage } = useIntl();
  return (
    <DropZone
      className={styles.samplesDrop}
      isDisabled={isBusy}
      onDrop={({ items }) => {
        const dropped = items.filter((item): item is FileDropItem => item.kind === 'file');
        void Promise.all(dropped.map((item) => item.getFile())).then(onFiles);
      }}
    >
      <FileUp aria-hidden />
      <Text slot="label">{formatMessage({ id: 'samples.drop' })}</Text>
      <FileTrigger
        allowsMultiple
        onSelect={(files) => {
          if (files) onFiles([...files]);
        }}
      >
        <Button isSmall isDisabled={isBusy}>
          {formatMessage({ id: 'samples.choose' })}
        </Button>
      </FileTrigger>
    </DropZone>
  );
}

type FromEventProps = {
  readonly webhookId: string;
  readonly isBusy: boolean;
  readonly onEvent: (eventId: string) => void;
};

function FromEvent({ webhookId, isBusy, onEvent }: FromEventProps) {
  const { formatMessage, formatDate } = useIntl();
  const [chosen, setChosen] = useState<string | null>(null);
  const events = useApiQuery('listEvents', { query: { webhookId: [webhookId], per_page: 30 } });
  const results = events.data?.results ?? [];
  if (results.length === 0) return null;
  return (
    <div className={styles.samplesEvent}>
      <Select
        label={formatMessage({ id: 'samples.event' })}
        placeholder={formatMessage({ id: 'samples.eventChoose' })}
        value={chosen}
        onChange={setChosen}
        choices={results.map(({ id, receivedAt, externalId, state }) => ({
          id,
          label: `${formatDate(receivedAt, { dateStyle: 'short', timeStyle: 'medium' })} · ${formatMessage({ id: `state.${state}` })}`,
          ...(externalId !== null && { hint: externalId }),
        }))}
      />
      <Button
        isDisabled={isBusy || chosen === null}
        onPress={() => {
          if (chosen !== null) onEvent(chosen);
        }}
      >
        {formatMessage({ id: 'samples.addEvent' })}
      </Button>
    </div>
  );
}
