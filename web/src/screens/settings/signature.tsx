/** Signature verification: on or off, scheme and secrets. Secrets are write-only. */
import { Plus } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { SettingsGroup, isWhole, textOf, WholeNumberField, parseWhole } from './settings-group.tsx';
import {
  isComplete,
  schemeFormOf,
  SchemeFields,
  schemeOf,
  type SchemeForm,
  type SenderScheme,
} from './signature-scheme.tsx';
import { useSettingsGroup, type GroupProps, type Saved } from './use-settings-group.ts';

const tolerances = [1, 604_800] as const;
const maxSecrets = 5;

type Draft = {
  readonly isOn: boolean;
  readonly scheme: SchemeForm;
  readonly tolerance: string;
  /** New secrets replace the stored ones. */
  readonly secrets: readonly string[];
};

const draftOf = ({ signature }: Saved): Draft => ({
  isOn: signature !== null,
  scheme: schemeFormOf(signature?.scheme ?? null),
  tolerance: textOf(signature?.toleranceSeconds),
  secrets: [''],
});

const given = (secrets: readonly string[]): string[] =>
  secrets.filter((secret) => secret.trim() !== '');

export function Signature(props: GroupProps & { readonly sender: SenderScheme }) {
  const { formatMessage } = useIntl();
  const { isFixed, sender, read } = props;
  const set0 = read.data.signature?.secretsSet ?? 0;
  const group = useSettingsGroup<Draft>(props, {
    part: 'signature',
    names: { tolerance: 'settings.tolerance' },
    secrets: { secrets: [''] },
    formOf: draftOf,
    wantedOf: ({ isOn, scheme, tolerance, secrets }) =>
      isOn
        ? {
            scheme: schemeOf(scheme),
            toleranceSeconds: parseWhole(tolerance),
            ...(given(secrets).length > 0 && { secrets: given(secrets) }),
          }
        : null,
    isValid: ({ isOn, scheme, tolerance, secrets }) =>
      !isOn ||
      (isWhole(tolerance, tolerances) &&
        isComplete(scheme, sender.own) &&
        (set0 > 0 || given(secrets).length > 0)),
  });
  const { draft, set, problemAt } = group;
  return (
    <SettingsGroup
      name="signature"
      group={group}
      isFixed={isFixed}
      meaning={formatMessage({
        id: draft.isOn ? 'settings.signature.on' : 'settings.signature.off',
      })}
    >
      <Checkbox
        isSelected={draft.isOn}
        onChange={(isOn) => set({ isOn })}
        isDisabled={isFixed}
        hint={formatMessage({ id: 'settings.signature.check.hint' })}
      >
        {formatMessage({ id: 'settings.signature.check' })}
      </Checkbox>
      {!draft.isOn && set0 > 0 && (
        <Note tone="warn">{formatMessage({ id: 'settings.signature.lost' }, { count: set0 })}</Note>
      )}
      {draft.isOn && (
        <>
          <SchemeFields
            form={draft.scheme}
            sender={sender}
            onChange={(scheme) => set({ scheme })}
            problem={problemAt('/signature/scheme')}
            isDisabled={isFixed}
          />
          {!isFixed && (
            <Secrets
              secrets={draft.secrets}
              known={set0}
              onChange={(secrets) => set({ secrets })}
              problem={problemAt('/signature/secrets')}
            />
          )}
          <WholeNumberField
            label={formatMessage({ id: 'settings.tolerance' })}
            hint={formatMessage({ id: 'settings.tolerance.hint' })}
            range={tolerances}
            defaultText="300"
            value={draft.tolerance}
            onChange={(tolerance) => set({ tolerance })}
            problem={problemAt('/signature/toleranceSeconds')}
            isDisabled={isFixed}
          />
        </>
      )}
    </SettingsGroup>
  );
}

type SecretsProps = {
  readonly secrets: readonly string[];
  readonly known: number;
  readonly onChange: (secrets: readonly string[]) => void;
  readonly problem: string | undefined;
};

function Secrets({ secrets, known, onChange, problem }: SecretsProps) {
  const { formatMessage } = useIntl();
  return (
    <div className="stack tight">
      <p className="small soft">
        {formatMessage({ id: 'settings.secrets.set' }, { count: known })}
      </p>
      {secrets.map((secret, at) => (
        <TextField
          // oxlint-disable-next-line react/no-array-index-key -- a secret has no name but its place
          key={at}
          label={formatMessage({ id: 'settings.secret' }, { number: at + 1 })}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={(text) => onChange(secrets.with(at, text))}
          problem={at === 0 ? problem : undefined}
        />
      ))}
      <p className="small soft">{formatMessage({ id: 'settings.secret.hint' })}</p>
      {secrets.length < maxSecrets && (
        <div>
          <Button isSmall onPress={() => onChange([...secrets, ''])}>
            <Plus aria-hidden />
            {formatMessage({ id: 'settings.secret.more' })}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The handshake: how Inlet answers the verification request of a sender. */
export function Handshake(props: GroupProps & { readonly challenges: readonly string[] }) {
  const { formatMessage } = useIntl();
  const { isFixed, challenges, read } = props;
  const saved = read.data.handshake;
  const isSet = saved?.verifyTokenSet === true;
  const group = useSettingsGroup(props, {
    part: 'handshake',
    names: {},
    secrets: { verifyToken: '' },
    formOf: ({ handshake }) => ({
      challenge: handshake?.challenge ?? null,
      verifyToken: '',
      isKept: handshake?.verifyTokenSet === true,
    }),
    wantedOf: ({ challenge, verifyToken, isKept }) =>
      challenge === null && verifyToken === '' && !isKept
        ? null
        : {
            challenge,
            ...(verifyToken !== '' && { verifyToken }),
          },
    isValid: () => true,
  });
  const { draft, set, problemAt } = group;
  const choice = draft.challenge === null ? 'own' : 'named';
  const named = typeof draft.challenge === 'string' ? draft.challenge : 'custom';
  return (
    <SettingsGroup
      name="handshake"
      group={group}
      isFixed={isFixed}
      meaning={formatMessage({ id: `settings.handshake.${choice}` }, { name: named })}
    >
      <Select
        label={formatMessage({ id: 'settings.challenge' })}
        choices={[
          { id: 'own', label: formatMessage({ id: 'settings.challenge.own' }) },
          ...challenges.map((id) => ({ id, label: id })),
          ...(named === 'custom' && draft.challenge !== null
            ? [{ id: 'custom', label: formatMessage({ id: 'settings.challenge.custom' }) }]
            : []),
        ]}
        value={draft.challenge === null ? 'own' : named}
        onChange={(id) =>
          set({ challenge: id === 'own' ? null : id === 'custom' ? draft.challenge : id })
        }
        problem={problemAt('/handshake/challenge')}
        isDisabled={isFixed}
      />
      {!isFixed && (
        <TextField
          label={formatMessage({ id: 'settings.verifyToken' })}
          hint={formatMessage({
            id: isSet ? 'settings.verifyToken.set' : 'settings.verifyToken.hint',
          })}
          type="password"
          autoComplete="off"
          value={draft.verifyToken}
          onChange={(verifyToken) => set({ verifyToken })}
          problem={problemAt('/handshake/verifyToken')}
        />
      )}
    </SettingsGroup>
  );
}
