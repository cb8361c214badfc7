/** Activates a version now or at a set time, with its options. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
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

export function ActivateVersion({ webhook, version, onClose }: Props) {
  const { formatMessage, formatDate } = useIntl();
  const { id, activeVersion, status } = webhook;
  const [wanted, setWanted] = useState<Wanted>({
    isLater: false,
    at: soon(),
    isPast: false,
    processSamples: false,
    overlap: settled,
  });
  const isPast = wanted.isLater && wanted.isPast;
  const activate = useApiMutation('activateWebhookMapping', {
    invalidates: affectedOperations,
    onDone: () => {
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
    },
    onClose,
  });
  const action = formatMessage(
    { id: wanted.isLater ? 'versions.activateLater' : 'versions.activateNow' },
    { version },
  );
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'versions.activateTitle' }, { version })}
      isOpen
      onClose={onClose}
      action={action}
      isBusy={activate.isPending || isPast}
      error={activate.error}
      onConfirm={() =>
        activate.mutate({ params: { id, version: String(version) }, body: bodyOf(wanted) })
      }
    >
      <p>
        {activeVersion === null
          ? formatMessage({ id: 'versions.activateFirst' }, { version })
          : formatMessage({ id: 'versions.activateInstead' }, { version, active: activeVersion })}
      </p>
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
    </ConfirmDialog>
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
