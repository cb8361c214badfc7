/** The signature scheme: the producer's own, a named preset, or a custom one. */
import { useIntl } from 'react-intl';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';

export type SenderScheme = {
  /** The producer's own scheme, if it signs. */
  readonly own: string | null;
  readonly presets: readonly string[];
};

export type SchemeForm = {
  /** `own`, `hmac`, `token`, `other`, or `preset:` with the name of a preset. */
  readonly choice: string;
  readonly header: string;
  readonly algorithm: string;
  readonly encoding: string;
  readonly prefix: string;
  /** Parts without a form field are kept. */
  readonly other: object | null;
};

const blank: SchemeForm = {
  choice: 'own',
  header: '',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  other: null,
};

const simple = new Set(['kind', 'header', 'algorithm', 'encoding', 'prefix']);

export function schemeFormOf(scheme: string | object | null): SchemeForm {
  if (scheme === null) return blank;
  if (typeof scheme === 'string') return { ...blank, choice: `preset:${scheme}` };
  const known = scheme as Readonly<Record<string, unknown>>;
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const { kind, from, prefix } = known;
  if (kind === 'hmac' && Object.keys(known).every((name) => simple.has(name))) {
    const { header, algorithm, encoding } = known;
    return {
      ...blank,
      choice: 'hmac',
      header: text(header),
      algorithm: text(algorithm),
      encoding: text(encoding),
      prefix: text(prefix),
    };
  }
  if (kind === 'token' && typeof from === 'object' && from !== null && 'header' in from) {
    return { ...blank, choice: 'token', header: text(from.header), prefix: text(prefix) };
  }
  return { ...blank, choice: 'other', other: scheme };
}

export function schemeOf(form: SchemeForm): string | object | null {
  const { choice, header, algorithm, encoding, prefix, other } = form;
  const before = prefix === '' ? {} : { prefix };
  if (choice === 'own') return null;
  if (choice === 'other') return other;
  if (choice === 'hmac')
    return { kind: 'hmac', header: header.trim(), algorithm, encoding, ...before };
  if (choice === 'token') return { kind: 'token', from: { header: header.trim() }, ...before };
  return choice.slice('preset:'.length);
}

export const isComplete = ({ choice, header }: SchemeForm, own: string | null): boolean =>
  choice === 'own' ? own !== null : !['hmac', 'token'].includes(choice) || header.trim() !== '';

type Props = {
  readonly form: SchemeForm;
  readonly sender: SenderScheme;
  readonly onChange: (form: SchemeForm) => void;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
};

export function SchemeFields({ form, sender, onChange, problem, isDisabled }: Props) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `settings.scheme.${id}` });
  const set = (change: Partial<SchemeForm>) => onChange({ ...form, ...change });
  const isDescribed = form.choice === 'hmac' || form.choice === 'token';
  const isOwnMissing = form.choice === 'own' && sender.own === null;
  const ownHint =
    sender.own === null
      ? label('own.none')
      : formatMessage({ id: 'settings.scheme.own.hint' }, { name: sender.own });
  return (
    <>
      <Select
        label={label('label')}
        choices={[
          { id: 'own', label: label('own'), hint: ownHint },
          { id: 'hmac', label: label('hmac'), hint: label('hmac.hint') },
          { id: 'token', label: label('token'), hint: label('token.hint') },
          ...(form.other ? [{ id: 'other', label: label('other') }] : []),
          ...sender.presets.map((name) => ({
            id: `preset:${name}`,
            label: formatMessage({ id: 'settings.scheme.preset' }, { name }),
          })),
        ]}
        value={form.choice}
        onChange={(choice) => set({ choice })}
        problem={isOwnMissing ? label('own.choose') : isDescribed ? undefined : problem}
        isDisabled={isDisabled}
      />
      {isDescribed && (
        <TextField
          label={label('header')}
          placeholder="X-Signature"
          value={form.header}
          onChange={(header) => set({ header })}
          problem={problem}
          isDisabled={isDisabled}
        />
      )}
      {form.choice === 'hmac' && (
        <div className="grid">
          <Select
            label={label('algorithm')}
            choices={['sha256', 'sha512', 'sha1'].map((id) => ({ id, label: id.toUpperCase() }))}
            value={form.algorithm}
            onChange={(algorithm) => set({ algorithm })}
            isDisabled={isDisabled}
          />
          <Select
            label={label('encoding')}
            choices={['hex', 'base64'].map((id) => ({ id, label: label(id) }))}
            value={form.encoding}
            onChange={(encoding) => set({ encoding })}
            isDisabled={isDisabled}
          />
        </div>
      )}
      {isDescribed && (
        <TextField
          label={label('prefix')}
          hint={label('prefix.hint')}
          value={form.prefix}
          onChange={(prefix) => set({ prefix })}
          isDisabled={isDisabled}
        />
      )}
      {form.choice === 'other' && (
        <CopyableText isBlock text={JSON.stringify(form.other, null, 2)} label={label('other')} />
      )}
    </>
  );
}
