/** The rules of the installation, or of one webhook. Each change is saved at once. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { WebhookField } from '../../ui/forms/webhook-field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { noticeKinds, type NoticeKind } from './target-values.ts';
import styles from './notices.module.css';

type RulesAnswer = Answer<'getNoticesRules'>;
type RulesQuery = Pick<
  UseQueryResult<Pick<RulesAnswer, 'effective'>>,
  'data' | 'isPending' | 'isError' | 'error' | 'refetch'
>;
type Rule = Readonly<Record<string, number | boolean>>;

export function Rules() {
  const { formatMessage } = useIntl();
  const [webhookId, setWebhook] = useState('');
  return (
    <Card title={formatMessage({ id: 'notices.rules' })}>
      <p className="soft">{formatMessage({ id: 'notices.rules.what' })}</p>
      <WebhookField value={webhookId} onChange={setWebhook} />
      {webhookId === '' ? (
        <InstallationRules />
      ) : (
        <WebhookRules key={webhookId} webhookId={webhookId} />
      )}
    </Card>
  );
}

function InstallationRules() {
  const { formatMessage } = useIntl();
  const rules = useApiQuery('getNoticesRules', {});
  const save = useApiMutation('updateNoticesRules', {
    invalidates: ['getNoticesRules', 'getWebhookNoticeRules'],
    onDone: () => showToast(formatMessage({ id: 'notices.rules.saved' })),
  });
  return (
    <RuleList
      rules={rules}
      error={save.error}
      isBusy={save.isPending}
      onChange={(kind, change) => save.mutate({ body: { [kind]: change } })}
    />
  );
}

function WebhookRules({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const params = { id: webhookId };
  const rules = useApiQuery('getWebhookNoticeRules', { params });
  const save = useApiMutation('updateWebhookNoticeRules', {
    invalidates: ['getWebhookNoticeRules'],
    onDone: () => showToast(formatMessage({ id: 'notices.rules.saved' })),
  });
  return (
    <RuleList
      rules={rules}
      error={save.error}
      isBusy={save.isPending}
      onChange={(kind, change) => save.mutate({ params, body: { [kind]: change } })}
    />
  );
}

type ListProps = {
  readonly rules: RulesQuery;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onChange: (kind: NoticeKind, change: Rule) => void;
};

function RuleList({ rules, error, isBusy, onChange }: ListProps) {
  if (rules.isPending) return <Loading lines={4} />;
  if (rules.isError || !rules.data)
    return <ErrorNote error={rules.error} onRetry={() => void rules.refetch()} />;
  const { effective } = rules.data;
  return (
    <>
      {error !== null && error !== undefined && <ErrorNote error={error} />}
      <ul className={styles.targets}>
        {noticeKinds.map((kind) => (
          <RuleRow
            key={kind}
            kind={kind}
            rule={effective[kind]}
            isBusy={isBusy}
            onChange={(change) => onChange(kind, change)}
          />
        ))}
      </ul>
    </>
  );
}

type RowProps = {
  readonly kind: NoticeKind;
  readonly rule: Rule;
  readonly isBusy: boolean;
  readonly onChange: (change: Rule) => void;
};

function RuleRow({ kind, rule, isBusy, onChange }: RowProps) {
  const { formatMessage } = useIntl();
  const mayChange = useHasScope('admin');
  const numbers = Object.entries(rule).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const] : [],
  );
  return (
    <li className="stack tight">
      <Checkbox
        isSelected={rule['enabled'] === true}
        isDisabled={!mayChange || isBusy}
        onChange={(enabled) => onChange({ enabled })}
        hint={formatMessage({ id: `notices.kind.${kind}.hint` })}
      >
        {formatMessage({ id: `notices.kind.${kind}` })}
      </Checkbox>
      {numbers.map(([name, value]) => (
        <RuleNumber
          key={`${name} ${value}`}
          label={formatMessage({ id: `notices.rule.${kind}.${name}` })}
          value={value}
          isFixed={!mayChange || isBusy}
          onSave={(number) => onChange({ [name]: number })}
        />
      ))}
    </li>
  );
}

type NumberProps = {
  readonly label: string;
  readonly value: number;
  readonly isFixed: boolean;
  readonly onSave: (value: number) => void;
};

function RuleNumber({ label, value, isFixed, onSave }: NumberProps) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(String(value));
  const isNumber = /^\d{1,9}$/.test(text.trim());
  const isChanged = isNumber && Number(text) !== value;
  return (
    <div className={`row ${styles.number}`}>
      <TextField
        label={label}
        inputMode="numeric"
        value={text}
        onChange={setText}
        isDisabled={isFixed}
        problem={isNumber ? undefined : formatMessage({ id: 'notices.rule.wrong' })}
      />
      {isChanged && (
        <Button isSmall isDisabled={isFixed} onPress={() => onSave(Number(text))}>
          {formatMessage({ id: 'ui.save' })}
        </Button>
      )}
    </div>
  );
}
