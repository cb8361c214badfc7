/** Base version, undo and redo, restored draft, and saving. */
import { clsx } from 'clsx';
import { Braces, Redo2, RotateCcw, Undo2 } from 'lucide-react';
import { useIntl } from 'react-intl';
import { InletError } from '../api/client.ts';
import { useApiMutation } from '../api/use-api.ts';
import { Button, IconButton, LinkButton } from '../ui/forms/button.tsx';
import { ErrorNote } from '../ui/feedback/error-note.tsx';
import { Note } from '../ui/feedback/note.tsx';
import { errorsByTarget, noSaveErrors, type SaveErrors } from './document/save-errors.ts';
import { useMappingEditor } from './editor-context.tsx';
import { SaveErrorNote } from './targets/save-errors.tsx';
import type { Base } from './use-draft.ts';
import styles from './mapping.module.css';

type ToolbarProps = {
  readonly webhookId: string;
  readonly base: Pick<Base, 'version'>;
  readonly active: number | null;
  readonly maySave: boolean;
  /** The switch between the form and the expert editor; without it there is none. */
  readonly expert?: { readonly isOn: boolean; readonly href: string };
  readonly saveLabel?: string | undefined;
  readonly onSaved?: ((version: number) => void) | undefined;
  /** A version that is already saved is given to `onSaved` too, unless it is active. */
  readonly activates?: boolean | undefined;
};

export function Toolbar(props: ToolbarProps) {
  const { base, webhookId } = props;
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  return (
    <div className={styles.mappingBar}>
      <div className="row spread">
        <span className="row">
          <Beginning {...props} />
          {draft.isRestored && <Restored />}
        </span>
        <span className={clsx('row', styles.tools)}>
          <IconButton
            label={formatMessage({ id: 'mapping.undo' })}
            isDisabled={!draft.canUndo}
            onPress={draft.undo}
          >
            <Undo2 aria-hidden />
          </IconButton>
          <IconButton
            label={formatMessage({ id: 'mapping.redo' })}
            isDisabled={!draft.canRedo}
            onPress={draft.redo}
          >
            <Redo2 aria-hidden />
          </IconButton>
          {props.expert && (
            <LinkButton variant="quiet" href={props.expert.href}>
              <Braces aria-hidden />
              <span className={styles.ifWide}>
                {formatMessage({ id: props.expert.isOn ? 'mapping.toForm' : 'mapping.toExpert' })}
              </span>
            </LinkButton>
          )}
          {props.maySave ? (
            <Save {...props} />
          ) : (
            <span className="soft small">{formatMessage({ id: 'mapping.mayNotSave' })}</span>
          )}
        </span>
      </div>
      {base.version > draft.version && (
        <Note tone="warn" isLive>
          <span className="row">
            {formatMessage({ id: 'mapping.newerVersion' }, { version: base.version })}
            <LinkButton isSmall href={`/webhooks/${webhookId}/versions?compare=${base.version}`}>
              {formatMessage({ id: 'mapping.lookAtIt' })}
            </LinkButton>
          </span>
        </Note>
      )}
    </div>
  );
}

/** Beside the rest, so that removing it does not shift the content below. */
function Restored() {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  return (
    <span className={clsx('row small', styles.tools)}>
      <span role="status" className={styles.restored}>
        {formatMessage({ id: 'mapping.restored' })}
      </span>
      <Button variant="quiet" isSmall onPress={draft.discard}>
        <RotateCcw aria-hidden /> {formatMessage({ id: 'mapping.discard' })}
      </Button>
    </span>
  );
}

function Beginning({ active }: ToolbarProps) {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const { version } = draft;
  const id =
    version === 0
      ? 'mapping.from.suggestion'
      : version === active
        ? 'mapping.from.active'
        : 'mapping.from.version';
  return (
    <span className="soft small">
      {formatMessage({ id }, { version })}
      {draft.isUnsaved && version !== 0 && <> · {formatMessage({ id: 'mapping.unsaved' })}</>}
    </span>
  );
}

function Save({ webhookId, active, saveLabel, onSaved, activates = false }: ToolbarProps) {
  const { formatMessage } = useIntl();
  const { draft, errors, refuse } = useMappingEditor();
  const saving = useApiMutation('createWebhookMapping', {
    invalidates: ['listWebhookMappings', 'getWebhook', 'listWebhooks'],
    onDone: ({ version: made }) => {
      draft.saved(made);
      onSaved?.(made);
    },
  });
  const { error } = saving;
  const isNew = draft.isUnsaved || draft.version === 0;
  const isOnlyActivated = activates && !isNew && draft.version !== active;
  const body = { mapping: draft.document as MappingBody };
  return (
    <>
      <Button
        variant="primary"
        isDisabled={saving.isPending || !(isNew || isOnlyActivated) || errors.size > 0}
        onPress={() =>
          isOnlyActivated
            ? onSaved?.(draft.version)
            : saving.mutate(
                { params: { id: webhookId }, body },
                { onError: (failed) => refuse(saveErrorsOf(failed)) },
              )
        }
      >
        {saveLabel ?? formatMessage({ id: 'mapping.save' })}
      </Button>
      {error &&
        (saveErrorsOf(error).size === 0 ? (
          <ErrorNote error={error} />
        ) : (
          errors.size > 0 && <SaveErrorNote isLive />
        ))}
    </>
  );
}

const saveErrorsOf = (error: Error): SaveErrors =>
  error instanceof InletError && error.status === 422
    ? errorsByTarget(error.details.fields ?? [])
    : noSaveErrors;

type MappingBody = Parameters<
  ReturnType<typeof useApiMutation<'createWebhookMapping'>>['mutate']
>[0]['body']['mapping'];
