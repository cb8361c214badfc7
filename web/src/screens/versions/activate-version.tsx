/**
 * Activates a version now or at a set time. The dialog says what that does to the last events, and replays the failed ones with
 * the version.
 */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { totalOf, useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog, Dialog } from '../../ui/overlays/dialog.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ActivationImpact } from '../repair/activation-impact.tsx';
import { ReplayOutcome } from '../repair/replay-outcome.tsx';
import { isSame } from '../version-comparison/mapping-diff.ts';
import { affectedOperations } from './affected-operations.ts';

type Webhook = Answer<'getWebhook'>;

type Wanted = {
  readonly isLater: boolean;
  /** A `datetime-local` value in the local time zone. */
  readonly at: string;
  readonly isPast: boolean;
  readonly processSamples: boolean;
  /** Hours, or the value of the settings. */
  readonly overlap: string;
  readonly replays: boolean;
};

const settled = 'settings';
const overlaps = [settled, '0', '24', '168', '720'];

function bodyOf({ isLater, at, processSamples, overlap }: Wanted) {
  return {
    ...(isLater && { at: new Date(at).toISOString() }),
    ...(processSamples && !isLater && { processSamples: true }),
    ...(overlap !== settled && { dedupOverlapHours: Number(overlap) }),
  };
}

/** In one hour, as a `datetime-local` value. */
function soon(): string {
  const at = new Date(Date.now() + 3_600_000);
  at.setMinutes(0, 0, 0);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

type Props = {
  readonly webhook: Webhook;
  readonly version: number;
  readonly onClose: () => void;
};

/** The failed events of the webhook that a mapping may fix. */
function useRepairable(webhookId: string) {
  const groups = useDeadLetterCounts([webhookId])?.groups ?? [];
  const ours = groups.filter(({ action }) => action.code === 'fix_mapping');
  return { count: totalOf(ours), reasons: ours.map(({ reason }) => reason) };
}

export function ActivateVersion({ webhook, version, onClose }: Props) {
  const { formatMessage, formatDate } = useIntl();
  const { id } = webhook;
  const [wanted, setWanted] = useState<Wanted>({
    isLater: false,
    at: soon(),
    isPast: false,
    processSamples: false,
    overlap: settled,
    replays: true,
  });
  const repairable = useRepairable(id);
  const replays =
    wanted.replays && !wanted.isLater && webhook.activeVersion !== null && repairable.count > 0;
  const replay = useApiMutation('replayEvents', { invalidates: ['listReplays'] });
  const begin = () =>
    replay.mutate({
      body: {
        filter: { webhookId: [id], reason: repairable.reasons.slice(0, 100), state: ['dead'] },
      },
    });
  const activate = useApiMutation('activateWebhookMapping', {
    invalidates: affectedOperations,
    onDone: () => {
      if (replays) return begin();
      showToast(
        wanted.isLater
          ? formatMessage(
              { id: 'versions.scheduled' },
              { version, at: formatDate(wanted.at, { dateStyle: 'medium', timeStyle: 'short' }) },
            )
          : formatMessage({ id: 'versions.activated' }, { version }),
        undefined,
        `versions ${id}`,
      );
      return onClose();
    },
  });
  // The answer of a run; that of a preview has no id.
  const { id: runId } = (replay.data ?? {}) as { readonly id?: string };
  if (runId !== undefined) return <Replaying {...{ webhook, version, onClose, runId }} />;
  const action = replays
    ? formatMessage({ id: 'repair.activateAndReplay' }, { count: repairable.count })
    : formatMessage(
        { id: wanted.isLater ? 'versions.activateLater' : 'versions.activateNow' },
        { version },
      );
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'versions.activateTitle' }, { version })}
      isOpen
      onClose={onClose}
      action={action}
      isBusy={activate.isPending || replay.isPending || (wanted.isLater && wanted.isPast)}
      error={activate.error ?? replay.error}
      // The version is active when only the replay failed.
      onConfirm={() =>
        activate.isSuccess
          ? begin()
          : activate.mutate({ params: { id, version: String(version) }, body: bodyOf(wanted) })
      }
    >
      <Options {...{ webhook, version, wanted, setWanted }} repairable={repairable.count} />
    </ConfirmDialog>
  );
}

type ReplayingProps = Props & { readonly runId: string };

function Replaying({ webhook, version, onClose, runId }: ReplayingProps) {
  const { formatMessage } = useIntl();
  return (
    <Dialog
      title={formatMessage({ id: 'versions.activated' }, { version })}
      isOpen
      onClose={onClose}
      part="replay"
    >
      <p>{formatMessage({ id: 'repair.replaying' }, { version })}</p>
      <ReplayOutcome runId={runId} webhookId={webhook.id} />
      <div className="actions">
        <Button variant="primary" onPress={onClose}>
          {formatMessage({ id: 'ui.close' })}
        </Button>
      </div>
    </Dialog>
  );
}

type OptionsProps = Omit<Props, 'onClose'> & {
  readonly wanted: Wanted;
  readonly setWanted: (wanted: Wanted) => void;
  /** The number of failed events. */
  readonly repairable: number;
};

function Options({ webhook, version, wanted, setWanted, repairable }: OptionsProps) {
  const { formatMessage } = useIntl();
  const { id, activeVersion, status } = webhook;
  const isPast = wanted.isLater && wanted.isPast;
  return (
    <>
      <p>
        {activeVersion === null
          ? formatMessage({ id: 'versions.activateFirst' }, { version })
          : formatMessage({ id: 'versions.activateInstead' }, { version, active: activeVersion })}
      </p>
      {activeVersion !== null && <ActivationImpact webhookId={id} version={version} />}
      {activeVersion !== null && repairable > 0 && !wanted.isLater && (
        <Checkbox
          isSelected={wanted.replays}
          onChange={(replays) => setWanted({ ...wanted, replays })}
          hint={formatMessage({ id: 'repair.replayHint' })}
        >
          {formatMessage({ id: 'repair.replay' }, { count: repairable })}
        </Checkbox>
      )}
      <Checkbox
        isSelected={wanted.isLater}
        onChange={(isLater) => setWanted({ ...wanted, isLater })}
        hint={formatMessage({ id: 'versions.laterHint' })}
      >
        {formatMessage({ id: 'versions.later' })}
      </Checkbox>
      {wanted.isLater && (
        <TextField
          type="datetime-local"
          label={formatMessage({ id: 'versions.at' })}
          value={wanted.at}
          onChange={(at) => setWanted({ ...wanted, at, isPast: !(Date.parse(at) > Date.now()) })}
          problem={isPast ? formatMessage({ id: 'versions.atPast' }) : undefined}
        />
      )}
      {!wanted.isLater && (activeVersion === null || status === 'mapped') && (
        <Checkbox
          isSelected={wanted.processSamples}
          onChange={(processSamples) => setWanted({ ...wanted, processSamples })}
          hint={formatMessage({ id: 'versions.samplesHint' })}
        >
          {formatMessage({ id: 'versions.processSamples' })}
        </Checkbox>
      )}
      <Overlap
        webhook={webhook}
        version={version}
        value={wanted.overlap}
        onChange={(overlap) => setWanted({ ...wanted, overlap })}
      />
    </>
  );
}

type OverlapProps = Omit<Props, 'onClose'> & {
  readonly value: string;
  readonly onChange: (hours: string) => void;
};

/** Only asked when the recipe of the event id changes; otherwise the same resends match. */
function Overlap({ webhook: { id, activeVersion }, version, value, onChange }: OverlapProps) {
  const { formatMessage } = useIntl();
  const isEnabled = activeVersion !== null && activeVersion !== version;
  const next = useApiQuery(
    'getWebhookMapping',
    { params: { id, version: String(version) } },
    { enabled: isEnabled },
  );
  const active = useApiQuery(
    'getWebhookMapping',
    { params: { id, version: String(activeVersion ?? 0) } },
    { enabled: isEnabled },
  );
  if (!next.data || !active.data) return null;
  if (isSame(next.data.mapping.eventId, active.data.mapping.eventId)) return null;
  return (
    <Select
      label={formatMessage({ id: 'versions.overlap' })}
      hint={formatMessage({ id: 'versions.overlapHint' })}
      value={value}
      onChange={onChange}
      choices={overlaps.map((hours) => ({ id: hours, label: wordsOf(hours) }))}
    />
  );

  function wordsOf(hours: string): string {
    if (hours === settled) return formatMessage({ id: 'versions.overlapSettled' });
    if (hours === '0') return formatMessage({ id: 'versions.overlapNone' });
    return formatMessage({ id: 'versions.overlapHours' }, { hours: Number(hours) });
  }
}
