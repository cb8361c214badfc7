/** The producer, and the response to the sender. */
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { SearchSelect } from '../../ui/forms/search-select.tsx';
import { SettingsGroup, isWhole, textOf, WholeNumberField, parseWhole } from './settings-group.tsx';
import { useSettingsGroup, type GroupProps } from './use-settings-group.ts';

type ContentType = NonNullable<Answer<'getWebhookSettings'>['answer']>['contentType'];
type Producers = Answer<'getProducers'>['producers'];

export function ProducerProfile(props: GroupProps & { readonly producers: Producers }) {
  const { formatMessage } = useIntl();
  const { producers, isFixed } = props;
  const group = useSettingsGroup(props, {
    part: 'producerProfile',
    names: { name: 'settings.profile.label' },
    formOf: ({ producerProfile }) => ({ name: producerProfile }),
    wantedOf: ({ name }) => name,
    isValid: () => true,
  });
  const { draft, set, problemAt } = group;
  const chosen = producers.find(({ name }) => name === draft.name);
  const label = ({ name, title }: Producers[number]) =>
    name === 'generic' ? formatMessage({ id: 'settings.profile.generic' }) : title;
  return (
    <SettingsGroup
      name="profile"
      group={group}
      isFixed={isFixed}
      meaning={chosen?.instructions ?? ''}
    >
      <SearchSelect
        label={formatMessage({ id: 'settings.profile.label' })}
        none={formatMessage({ id: 'settings.profile.none' })}
        choices={producers.map((one) => ({ id: one.name, label: label(one), hint: one.delivers }))}
        value={draft.name}
        onChange={(name) => set({ name })}
        problem={problemAt('/producerProfile') ?? problemAt('/signature')}
        isDisabled={isFixed}
      />
    </SettingsGroup>
  );
}

const statuses = [200, 299] as const;
const maxBodyLength = 8_192;
const contentTypes: readonly ContentType[] = [
  'application/json',
  'text/plain',
  'text/xml',
  'application/xml',
  'application/x-www-form-urlencoded',
];

/** With the stored type, which may name a charset. */
const typesFor = (stored: ContentType) => [...new Set([...contentTypes, stored])];

export function AnswerOverride(props: GroupProps) {
  const { formatMessage } = useIntl();
  const { isFixed } = props;
  const group = useSettingsGroup(props, {
    part: 'answer',
    names: {
      status: 'settings.answer.status',
      contentType: 'settings.answer.contentType',
      body: 'settings.answer.body',
    },
    formOf: ({ answer }) => ({
      isOn: answer !== null,
      status: textOf(answer?.status ?? 200),
      contentType: answer?.contentType ?? 'application/json',
      body: answer?.body ?? '',
    }),
    wantedOf: ({ isOn, status, contentType, body }) =>
      isOn ? { status: parseWhole(status), contentType, body } : null,
    isValid: ({ isOn, status, body }) =>
      !isOn || (status.trim() !== '' && isWhole(status, statuses) && body.length <= maxBodyLength),
  });
  const { draft, set, problemAt } = group;
  return (
    <SettingsGroup
      name="answer"
      group={group}
      isFixed={isFixed}
      meaning={formatMessage(
        { id: draft.isOn ? 'settings.answer.own' : 'settings.answer.usual' },
        { status: draft.status },
      )}
    >
      <Checkbox
        isSelected={draft.isOn}
        onChange={(isOn) => set({ isOn })}
        isDisabled={isFixed}
        hint={formatMessage({ id: 'settings.answer.check.hint' })}
      >
        {formatMessage({ id: 'settings.answer.check' })}
      </Checkbox>
      {draft.isOn && (
        <>
          <WholeNumberField
            label={formatMessage({ id: 'settings.answer.status' })}
            range={statuses}
            value={draft.status}
            onChange={(status) => set({ status })}
            problem={problemAt('/answer/status')}
            isDisabled={isFixed}
          />
          <Select
            label={formatMessage({ id: 'settings.answer.contentType' })}
            choices={typesFor(draft.contentType).map((type) => ({ id: type, label: type }))}
            value={draft.contentType}
            onChange={(chosen) => {
              const contentType = typesFor(draft.contentType).find((type) => type === chosen);
              if (contentType) set({ contentType });
            }}
            problem={problemAt('/answer/contentType')}
            isDisabled={isFixed}
          />
          <TextField
            label={formatMessage({ id: 'settings.answer.body' })}
            hint={formatMessage({ id: 'settings.answer.body.hint' })}
            lines={3}
            value={draft.body}
            onChange={(body) => set({ body })}
            problem={problemAt('/answer/body')}
            isDisabled={isFixed}
          />
        </>
      )}
    </SettingsGroup>
  );
}

type SwitchPart = 'answersGet' | 'allowEmptyPerson';

const isOnIn = (
  { answersGet, emptyPersonAllowed }: Answer<'getWebhookSettings'>,
  part: SwitchPart,
): boolean => (part === 'answersGet' ? answersGet === true : emptyPersonAllowed);

/** A setting that is on or off. */
export function Switch({ part, ...props }: GroupProps & { readonly part: SwitchPart }) {
  const { formatMessage } = useIntl();
  const { isFixed } = props;
  const group = useSettingsGroup(props, {
    part,
    names: { isOn: `settings.${part}.check` },
    formOf: (saved) => ({
      isOn: isOnIn(saved, part),
      wasOn: isOnIn(saved, part),
      stored: saved[part],
    }),
    // A setting that was never set stays so until it is switched.
    wantedOf: ({ isOn, wasOn, stored }) => (isOn === wasOn ? stored : isOn),
    isValid: () => true,
  });
  const { draft, set } = group;
  return (
    <SettingsGroup
      name={part}
      group={group}
      isFixed={isFixed}
      meaning={formatMessage({ id: `settings.${part}.${draft.isOn ? 'on' : 'off'}` })}
    >
      <Checkbox
        isSelected={draft.isOn}
        onChange={(isOn) => set({ isOn })}
        isDisabled={isFixed}
        hint={formatMessage({ id: `settings.${part}.check.hint` })}
      >
        {formatMessage({ id: `settings.${part}.check` })}
      </Checkbox>
    </SettingsGroup>
  );
}
