/** Creates or changes a target of notices. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { mergePatchBetween } from '../../api/merge-patch.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { ZoneField } from '../../ui/places/zone-field.tsx';
import { WebhookField } from '../../ui/forms/webhook-field.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import {
  formOf,
  isComplete as hasSettings,
  problemsOf,
  settingsOf,
  type Form,
} from '../channels/channel-kind.ts';
import { KindFields } from '../channels/kind-fields.tsx';
import {
  bodyOf,
  isComplete,
  isHours,
  isTime,
  noticeKinds,
  valuesOf,
  type Target,
  type Values,
} from './target-values.ts';

type Props = { readonly target: Target | null; readonly onClose: () => void };

const languages = { en: 'English', 'pt-BR': 'Português (Brasil)', es: 'Español' } as const;
const targetKinds = ['webhook', 'slack', 'email'] as const;

export function TargetDialog({ target, onClose }: Props) {
  const { formatMessage, locale } = useIntl();
  const kinds = useApiQuery('listNoticeTargetKinds', {});
  const language = locale === 'pt-BR' || locale === 'es' ? locale : 'en';
  const [values, setValues] = useState(() => valuesOf(target, language));
  const [kindName, setKind] = useState<Target['kind']>(target?.kind ?? 'webhook');
  const [webhookId, setWebhook] = useState('');
  const [form, setForm] = useState<Form>(formOf(target?.settings ?? {}));
  const invalidates = ['listNoticesTargets'] as const;
  const create = useApiMutation('createNoticesTarget', { invalidates, onClose });
  const update = useApiMutation('updateNoticesTarget', { invalidates, onClose });
  const { error, isPending } = target ? update : create;
  const problems = problemsOf(error);
  const kind = kinds.data?.kinds.find((one) => one.kind === kindName);
  const secretsSet = target?.secretsSet ?? [];
  const isReady = kind !== undefined && isComplete(values) && hasSettings(kind, form, secretsSet);
  function save() {
    if (!kind) return;
    const wanted = settingsOf(kind, form);
    if (!target) {
      const owner = webhookId === '' ? {} : { webhookId };
      create.mutate({ body: { ...bodyOf(values), kind: kindName, settings: wanted, ...owner } });
      return;
    }
    const gone = Object.fromEntries(form.gone.map((secret) => [secret, null] as const));
    const plain = mergePatchBetween(target.settings, wanted) as object | undefined;
    const isSame = plain === undefined && form.gone.length === 0;
    const settings = isSame ? {} : { settings: { ...plain, ...gone } };
    update.mutate({ params: { id: target.id }, body: { ...bodyOf(values), ...settings } });
  }
  return (
    <ConfirmDialog
      title={formatMessage({ id: target ? 'notices.target.edit' : 'notices.target.new' })}
      action={formatMessage({ id: target ? 'ui.save' : 'notices.target.create' })}
      isOpen
      isBusy={isPending || !isReady}
      error={error}
      onClose={onClose}
      onConfirm={save}
    >
      {kinds.isPending && <Loading />}
      {kinds.isError && <ErrorNote error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isSuccess && (
        <>
          <TextField
            label={formatMessage({ id: 'notices.target.name' })}
            value={values.name}
            onChange={(name) => setValues({ ...values, name })}
            maxLength={100}
            problem={problems('/name')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field
            autoFocus
          />
          {!target && (
            <>
              <Select
                label={formatMessage({ id: 'notices.target.kind' })}
                choices={targetKinds.map((id) => ({
                  id,
                  label: formatMessage({ id: `notices.target.kind.${id}` }),
                }))}
                value={kindName}
                onChange={(id) => setKind(targetKinds.find((one) => one === id) ?? 'webhook')}
              />
              <WebhookField value={webhookId} onChange={setWebhook} />
            </>
          )}
          {kind && (
            <KindFields
              kind={kind}
              form={form}
              onChange={setForm}
              secretsSet={secretsSet}
              problemAt={(setting) => problems(`/settings/${setting}`)}
            />
          )}
          <Delivery values={values} onChange={setValues} problems={problems} />
        </>
      )}
    </ConfirmDialog>
  );
}

type FieldsProps = {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly problems: (path: string) => string | undefined;
};

function Delivery({ values, onChange, problems }: FieldsProps) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `notices.target.${id}` });
  return (
    <>
      <Select
        label={label('language')}
        choices={Object.entries(languages).map(([id, name]) => ({ id, label: name }))}
        value={values.language}
        onChange={(id) =>
          onChange({ ...values, language: id === 'pt-BR' || id === 'es' ? id : 'en' })
        }
      />
      <TextField
        label={label('reminder')}
        hint={label('reminder.hint')}
        inputMode="numeric"
        value={values.reminderHours}
        onChange={(reminderHours) => onChange({ ...values, reminderHours })}
        problem={isHours(values.reminderHours) ? undefined : label('reminder.wrong')}
      />
      <Checkbox
        isSelected={values.isQuiet}
        onChange={(isQuiet) => onChange({ ...values, isQuiet })}
        hint={label('quiet.hint')}
      >
        {label('quiet')}
      </Checkbox>
      {values.isQuiet && <QuietHours values={values} onChange={onChange} problems={problems} />}
      <fieldset className="stack tight">
        <legend className="label">{label('kinds')}</legend>
        {noticeKinds.map((kind) => (
          <Checkbox
            key={kind}
            isSelected={values.kinds.includes(kind)}
            onChange={(isChosen) =>
              onChange({
                ...values,
                kinds: noticeKinds.filter((one) =>
                  one === kind ? isChosen : values.kinds.includes(one),
                ),
              })
            }
          >
            {formatMessage({ id: `notices.kind.${kind}` })}
          </Checkbox>
        ))}
      </fieldset>
    </>
  );
}

function QuietHours({ values, onChange, problems }: FieldsProps) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `notices.target.${id}` });
  return (
    <>
      <ZoneField
        label={label('zone')}
        value={values.zone}
        onChange={(zone) => onChange({ ...values, zone })}
        problem={problems('/quietHours')}
      />
      <div className="row">
        {(['from', 'to'] as const).map((name) => (
          <TextField
            key={name}
            label={label(name)}
            value={values[name]}
            onChange={(text) => onChange({ ...values, [name]: text })}
            problem={isTime(values[name]) ? undefined : label('time.wrong')}
          />
        ))}
      </div>
      <Checkbox
        isSelected={values.weekend}
        onChange={(weekend) => onChange({ ...values, weekend })}
      >
        {label('weekend')}
      </Checkbox>
    </>
  );
}
