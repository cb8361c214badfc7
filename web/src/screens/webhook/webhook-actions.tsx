/**
 * The actions on a webhook, for its pages and the list: pause, resume, archive, restore, and edit name and
 * channel.
 *
 * Promises: reversible actions run at once and offer undo; archiving asks first.
 */
import { useState, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import type { Answer, Operation } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import type { Item } from '../../ui/overlays/menu.tsx';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { EditWebhookDialog } from './edit-webhook.tsx';

export type Webhook = Answer<'getWebhook'>;
type Verb = 'pause' | 'resume' | 'archive' | 'restore';

const invalidates: Operation[] = ['listWebhooks', 'countWebhooks', 'getWebhook', 'listWebhookKeys'];

/** Each shows a toast when done; `undo` reverses it. */
function useVerbs() {
  const { formatMessage } = useIntl();
  const pause = useApiMutation('pauseWebhook', { invalidates });
  const resume = useApiMutation('resumeWebhook', { invalidates });
  const archive = useApiMutation('archiveWebhook', { invalidates });
  const restore = useApiMutation('restoreWebhook', { invalidates });
  const doers = { pause, resume, archive, restore };

  async function run(verb: Verb, { id }: Webhook): Promise<boolean> {
    try {
      await doers[verb].mutateAsync({ params: { id } });
      return true;
    } catch (error) {
      showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
      return false;
    }
  }

  async function restorePrevious(verb: Verb, webhook: Webhook): Promise<void> {
    if (verb === 'pause') await run('resume', webhook);
    if (verb === 'resume') await run('pause', webhook);
    if (verb !== 'archive' || !(await run('restore', webhook))) return;
    // A restored webhook that was active is paused.
    if (webhook.status === 'active') await run('resume', webhook);
  }

  return async function perform(verb: Verb, webhook: Webhook): Promise<void> {
    if (!(await run(verb, webhook))) return;
    const text = formatMessage({ id: `webhook.did.${verb}` }, { name: webhook.name });
    const undo = verb === 'restore' ? undefined : () => void restorePrevious(verb, webhook);
    showToast(text, undo, `webhook ${webhook.id}`);
  };
}

type Asked = { readonly what: 'edit' | 'archive'; readonly webhook: Webhook };

/** `itemsOf` returns the menu items; `dialogs` renders what they open. */
export function useWebhookActions(): {
  readonly itemsOf: (webhook: Webhook) => Item[];
  readonly perform: (verb: Verb, webhook: Webhook) => Promise<void>;
  readonly dialogs: ReactNode;
} {
  const { formatMessage } = useIntl();
  const may = useHasScope('operator');
  const perform = useVerbs();
  const [asked, setAsked] = useState<Asked | null>(null);
  const labelOf = (id: string) => formatMessage({ id: `webhook.do.${id}` });

  function itemsOf(webhook: Webhook): Item[] {
    if (!may) return [];
    const { status } = webhook;
    const verb = (id: Verb): Item => ({
      id,
      label: labelOf(id),
      onAction: () => void perform(id, webhook),
    });
    if (status === 'archived') return [verb('restore')];
    return [
      ...(status === 'active' ? [verb('pause')] : []),
      ...(status === 'paused' ? [verb('resume')] : []),
      { id: 'edit', label: labelOf('edit'), onAction: () => setAsked({ what: 'edit', webhook }) },
      {
        id: 'archive',
        label: labelOf('archive'),
        isDanger: true,
        onAction: () => setAsked({ what: 'archive', webhook }),
      },
    ];
  }

  const close = () => setAsked(null);
  const dialogs = asked && (
    <>
      {asked.what === 'edit' && <EditWebhookDialog webhook={asked.webhook} onClose={close} />}
      {asked.what === 'archive' && (
        <ArchiveWebhook
          webhook={asked.webhook}
          onClose={close}
          onConfirm={() => {
            void perform('archive', asked.webhook);
            close();
          }}
        />
      )}
    </>
  );
  return { itemsOf, perform, dialogs };
}

function ArchiveWebhook({
  webhook: { name },
  onClose,
  onConfirm,
}: {
  readonly webhook: Webhook;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}) {
  const { formatMessage } = useIntl();
  return (
    <ConfirmDialog
      isOpen
      isDanger
      title={formatMessage({ id: 'webhook.archive.title' }, { name })}
      action={formatMessage({ id: 'webhook.archive.action' }, { name })}
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>{formatMessage({ id: 'webhook.archive.what' })}</p>
      <p className="soft">{formatMessage({ id: 'webhook.archive.keeps' })}</p>
    </ConfirmDialog>
  );
}
