/** Rate limit and IP allowlist. */
import { useIntl } from 'react-intl';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { SettingsGroup, isWhole, textOf, WholeNumberField, parseWhole } from './settings-group.tsx';
import { useSettingsGroup, type GroupProps } from './use-settings-group.ts';

const units = ['none', 'perSecond', 'perMinute'] as const;
type Unit = (typeof units)[number];

const limit = { none: 1, perSecond: 10_000, perMinute: 600_000 } as const;
const bursts = [1, 100_000] as const;

type Rate = { readonly unit: Unit; readonly number: string; readonly burst: string };

export function RateLimit(props: GroupProps) {
  const { formatMessage } = useIntl();
  const group = useSettingsGroup<Rate>(props, {
    part: 'rateLimit',
    names: { number: 'settings.rate.number', burst: 'settings.rate.burst' },
    formOf: ({ rateLimit }) => ({
      unit: !rateLimit ? 'none' : rateLimit.perSecond === null ? 'perMinute' : 'perSecond',
      number: textOf(rateLimit?.perSecond ?? rateLimit?.perMinute),
      burst: textOf(rateLimit?.burst),
    }),
    wantedOf: ({ unit, number, burst }) =>
      unit === 'none' ? null : { [unit]: parseWhole(number), burst: parseWhole(burst) },
    isValid: ({ unit, number, burst }) =>
      unit === 'none' ||
      (number.trim() !== '' && isWhole(number, [1, limit[unit]]) && isWhole(burst, bursts)),
  });
  const { draft, set, problemAt } = group;
  const { isFixed } = props;
  return (
    <SettingsGroup
      name="rateLimit"
      group={group}
      isFixed={isFixed}
      meaning={formatMessage(
        { id: `settings.rateLimit.now.${draft.unit}` },
        { count: parseWhole(draft.number) ?? 0 },
      )}
    >
      <Select
        label={formatMessage({ id: 'settings.rate' })}
        choices={units.map((id) => ({
          id,
          label: formatMessage({ id: `settings.rate.${id}` }),
        }))}
        value={draft.unit}
        onChange={(id) => set({ unit: units.find((unit) => unit === id) ?? 'none' })}
        isDisabled={isFixed}
      />
      {draft.unit !== 'none' && (
        <>
          <WholeNumberField
            label={formatMessage({ id: 'settings.rate.number' })}
            hint={formatMessage({ id: 'settings.rate.number.hint' })}
            range={[1, limit[draft.unit]]}
            value={draft.number}
            onChange={(number) => set({ number })}
            problem={problemAt(`/rateLimit/${draft.unit}`)}
            isDisabled={isFixed}
          />
          <WholeNumberField
            label={formatMessage({ id: 'settings.rate.burst' })}
            hint={formatMessage({ id: 'settings.rate.burst.hint' })}
            range={bursts}
            defaultText={draft.number}
            value={draft.burst}
            onChange={(burst) => set({ burst })}
            problem={problemAt('/rateLimit/burst')}
            isDisabled={isFixed}
          />
        </>
      )}
    </SettingsGroup>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

export function Allowlist(props: GroupProps) {
  const { formatMessage } = useIntl();
  const group = useSettingsGroup(props, {
    part: 'allowlist',
    names: { text: 'settings.addresses' },
    formOf: ({ allowlist }) => ({ text: (allowlist ?? []).join('\n') }),
    wantedOf: ({ text }) => (linesOf(text).length === 0 ? null : linesOf(text)),
    isValid: () => true,
  });
  const { draft, set, error } = group;
  const lines = linesOf(draft.text);
  const wrong = lines.filter((_, at) => group.problemAt(`/allowlist/${at}`) !== undefined);
  return (
    <SettingsGroup
      name="allowlist"
      group={group}
      isFixed={props.isFixed}
      meaning={formatMessage({ id: 'settings.allowlist.now' }, { count: lines.length })}
    >
      <TextField
        label={formatMessage({ id: 'settings.addresses' })}
        hint={formatMessage({ id: 'settings.addresses.hint' })}
        placeholder={'203.0.113.0/24\n2001:db8::/32'}
        lines={4}
        value={draft.text}
        onChange={(text) => set({ text })}
        problem={
          error !== null && wrong.length > 0
            ? formatMessage({ id: 'settings.addresses.wrong' }, { wrong: wrong.join(', ') })
            : undefined
        }
        isDisabled={props.isFixed}
      />
    </SettingsGroup>
  );
}
