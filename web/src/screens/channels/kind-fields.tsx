/**
 * A form built from the settings schema of a channel kind. Settings without a message are shown with the
 * schema's title.
 */
import { useIntl } from 'react-intl';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { CountryField } from '../../ui/places/country-field.tsx';
import {
  isValid,
  settingsOfSchema,
  type Form,
  type Setting,
  type SettingsKind,
} from './channel-kind.ts';

type Props = {
  readonly kind: SettingsKind;
  readonly form: Form;
  readonly onChange: (form: Form) => void;
  readonly secretsSet: readonly string[];
  readonly problemAt: (setting: string) => string | undefined;
  readonly isDisabled?: boolean;
};

export function KindFields(props: Props) {
  return settingsOfSchema(props.kind).map((setting) => (
    <SettingField key={setting.name} {...props} setting={setting} />
  ));
}

function useKindMessages() {
  const { formatMessage, messages } = useIntl();
  return (id: string, fallback: string): string =>
    id in messages ? formatMessage({ id }) : fallback;
}

function SettingField({
  setting,
  form,
  onChange,
  secretsSet,
  problemAt,
  isDisabled = false,
}: Props & { readonly setting: Setting }) {
  const { formatMessage } = useIntl();
  const options = useKindMessages();
  const { name, type, choices, isSecret, isRequired, description } = setting;
  const text = form.texts[name] ?? '';
  const write = (next: string) => onChange({ ...form, texts: { ...form.texts, [name]: next } });
  const isSet = secretsSet.includes(name);
  const isGone = form.gone.includes(name);
  const own = options(`channels.setting.${name}`, name);
  const label = isRequired ? own : formatMessage({ id: 'channels.optional' }, { name: own });
  const hint = isSet
    ? formatMessage({ id: 'channels.secretSet' })
    : options(`channels.setting.${name}.hint`, description);
  const wrong = isValid(setting, text)
    ? problemAt(name)
    : options(`channels.setting.${name}.wrong`, description);
  if (type === 'choice') {
    const defaultOption = { id: '', label: formatMessage({ id: 'channels.usual' }) };
    const all = choices.map((id) => ({ id, label: options(`channels.setting.${name}.${id}`, id) }));
    return (
      <Select
        label={label}
        hint={hint}
        choices={isRequired ? all : [defaultOption, ...all]}
        value={isRequired && text === '' ? null : text}
        placeholder={formatMessage({ id: 'channels.choose' })}
        onChange={write}
        problem={wrong}
        isDisabled={isDisabled}
      />
    );
  }
  if (name === 'region') {
    return (
      <CountryField
        label={label}
        hint={hint}
        noneLabel={formatMessage({ id: 'channels.usual' })}
        value={text}
        onChange={write}
        problem={wrong}
        isDisabled={isDisabled}
      />
    );
  }
  return (
    <div className="stack tight">
      <TextField
        label={label}
        hint={hint}
        type={isSecret && type !== 'lines' ? 'password' : 'text'}
        inputMode={type === 'number' ? 'numeric' : undefined}
        autoComplete="off"
        placeholder={options(`channels.setting.${name}.such`, '')}
        value={text}
        onChange={write}
        problem={wrong}
        isDisabled={isDisabled || isGone}
        {...(type === 'lines' && { lines: 3 })}
      />
      {isSet && !isDisabled && (
        <Checkbox
          isSelected={isGone}
          onChange={(goes) =>
            onChange({
              ...form,
              gone: goes ? [...form.gone, name] : form.gone.filter((one) => one !== name),
            })
          }
        >
          {formatMessage({ id: 'channels.secretGoes' }, { name: own })}
        </Checkbox>
      )}
    </div>
  );
}
