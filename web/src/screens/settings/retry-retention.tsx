/** Deduplication window, retries and retention. */
import { useIntl } from 'react-intl';
import { TextField } from '../../ui/forms/field.tsx';
import { SettingsGroup, isWhole, textOf, WholeNumberField, parseWhole } from './settings-group.tsx';
import { parseDurations, defaultDelays, useDurationFormat } from './durations.ts';
import { useSettingsGroup, type GroupProps } from './use-settings-group.ts';

const days = [1, 3_650] as const;
const overlap = [72, 2_160] as const;
const attempts = [1, 20] as const;
const usualWindowDays = 400;
const usualOverlapHours = 72;
const usualAttempts = 9;

const unlessEmpty = <Value extends object>(value: Value): Value | null =>
  Object.values(value).every((member) => member === null) ? null : value;

export function Resends(props: GroupProps) {
  const { formatMessage } = useIntl();
  const group = useSettingsGroup(props, {
    part: 'dedup',
    names: { windowDays: 'settings.windowDays', overlapHours: 'settings.overlapHours' },
    formOf: ({ dedup }) => ({
      windowDays: textOf(dedup?.windowDays),
      overlapHours: textOf(dedup?.overlapHours),
    }),
    wantedOf: (draft) =>
      unlessEmpty({
        windowDays: parseWhole(draft.windowDays),
        overlapHours: parseWhole(draft.overlapHours),
      }),
    isValid: (draft) => isWhole(draft.windowDays, days) && isWhole(draft.overlapHours, overlap),
  });
  const { draft, set, problemAt } = group;
  const { isFixed } = props;
  return (
    <SettingsGroup
      name="dedup"
      group={group}
      isFixed={isFixed}
      meaning={formatMessage(
        { id: 'settings.dedup.now' },
        { days: parseWhole(draft.windowDays) ?? usualWindowDays },
      )}
    >
      <WholeNumberField
        label={formatMessage({ id: 'settings.windowDays' })}
        hint={formatMessage({ id: 'settings.windowDays.hint' })}
        range={days}
        defaultText={String(usualWindowDays)}
        value={draft.windowDays}
        onChange={(windowDays) => set({ windowDays })}
        problem={problemAt('/dedup/windowDays')}
        isDisabled={isFixed}
      />
      <WholeNumberField
        label={formatMessage({ id: 'settings.overlapHours' })}
        hint={formatMessage({ id: 'settings.overlapHours.hint' })}
        range={overlap}
        defaultText={String(usualOverlapHours)}
        value={draft.overlapHours}
        onChange={(overlapHours) => set({ overlapHours })}
        problem={problemAt('/dedup/overlapHours')}
        isDisabled={isFixed}
      />
    </SettingsGroup>
  );
}

export function Retries(props: GroupProps) {
  const { formatMessage } = useIntl();
  const span = useDurationFormat();
  const group = useSettingsGroup(props, {
    part: 'retries',
    names: { maxAttempts: 'settings.maxAttempts', delays: 'settings.delays' },
    formOf: ({ retries }) => ({
      maxAttempts: textOf(retries?.maxAttempts),
      delays: (retries?.delaysSeconds ?? []).map((seconds) => span.short(seconds)).join(', '),
    }),
    wantedOf: (draft) =>
      unlessEmpty({
        maxAttempts: parseWhole(draft.maxAttempts),
        delaysSeconds: draft.delays.trim() === '' ? null : parseDurations(draft.delays),
      }),
    isValid: (draft) =>
      isWhole(draft.maxAttempts, attempts) &&
      (draft.delays.trim() === '' || parseDurations(draft.delays) !== null),
  });
  const { draft, set, problemAt } = group;
  const given = parseDurations(draft.delays) ?? defaultDelays;
  const count = parseWhole(draft.maxAttempts) ?? usualAttempts;
  const waits = given.slice(0, Math.max(count - 1, 1)).map((seconds) => span.short(seconds));
  const more = count - 1 > given.length ? ' …' : '';
  const isWrong = draft.delays.trim() !== '' && parseDurations(draft.delays) === null;
  return (
    <SettingsGroup
      name="retries"
      group={group}
      isFixed={props.isFixed}
      meaning={formatMessage(
        { id: 'settings.retries.now' },
        { count, waits: `${waits.join(', ')}${more}` },
      )}
    >
      <WholeNumberField
        label={formatMessage({ id: 'settings.maxAttempts' })}
        hint={formatMessage({ id: 'settings.maxAttempts.hint' })}
        range={attempts}
        defaultText={String(usualAttempts)}
        value={draft.maxAttempts}
        onChange={(maxAttempts) => set({ maxAttempts })}
        problem={problemAt('/retries/maxAttempts')}
        isDisabled={props.isFixed}
      />
      <TextField
        label={formatMessage({ id: 'settings.delays' })}
        hint={formatMessage({ id: 'settings.delays.hint' })}
        placeholder={defaultDelays.map((seconds) => span.short(seconds)).join(', ')}
        value={draft.delays}
        onChange={(delays) => set({ delays })}
        problem={
          isWrong
            ? formatMessage({ id: 'settings.delays.wrong' })
            : problemAt('/retries/delaysSeconds')
        }
        isDisabled={props.isFixed}
      />
    </SettingsGroup>
  );
}

const retentionFields = ['bodiesDays', 'samplesDays', 'eventsDays'] as const;

export function Retention(props: GroupProps) {
  const { formatMessage } = useIntl();
  const group = useSettingsGroup(props, {
    part: 'retention',
    names: {
      bodiesDays: 'settings.bodiesDays',
      samplesDays: 'settings.samplesDays',
      eventsDays: 'settings.eventsDays',
    },
    formOf: ({ retention }) => ({
      bodiesDays: textOf(retention?.bodiesDays),
      samplesDays: textOf(retention?.samplesDays),
      eventsDays: textOf(retention?.eventsDays),
    }),
    wantedOf: (draft) =>
      unlessEmpty({
        bodiesDays: parseWhole(draft.bodiesDays),
        samplesDays: parseWhole(draft.samplesDays),
        eventsDays: parseWhole(draft.eventsDays),
      }),
    isValid: (draft) => retentionFields.every((name) => isWhole(draft[name], days)),
  });
  const { draft, set, problemAt } = group;
  const bodies = parseWhole(draft.bodiesDays);
  // Events are kept for the deduplication window; the other defaults are known only to the server.
  const knownDays = props.read.data.dedup?.windowDays ?? usualWindowDays;
  return (
    <SettingsGroup
      name="retention"
      group={group}
      isFixed={props.isFixed}
      meaning={
        bodies === null
          ? formatMessage({ id: 'settings.retention.usual' })
          : formatMessage({ id: 'settings.retention.now' }, { days: bodies })
      }
    >
      {retentionFields.map((name) => (
        <WholeNumberField
          key={name}
          label={formatMessage({ id: `settings.${name}` })}
          hint={formatMessage({ id: `settings.${name}.hint` })}
          range={days}
          defaultText={
            name === 'eventsDays' ? String(knownDays) : formatMessage({ id: 'settings.usual' })
          }
          value={draft[name]}
          onChange={(text) => set({ [name]: text })}
          problem={problemAt(`/retention/${name}`)}
          isDisabled={props.isFixed}
        />
      ))}
    </SettingsGroup>
  );
}
