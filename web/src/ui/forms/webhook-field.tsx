/** Searches and selects a webhook by name. */
import { ChevronDown, X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import {
  Button,
  ComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { IconButton } from './button.tsx';

type Props = {
  /** Empty: all webhooks. */
  readonly value: string;
  readonly onChange: (id: string) => void;
};

export function WebhookField({ value, onChange }: Props) {
  const { formatMessage } = useIntl();
  const chosen = useApiQuery('getWebhook', { params: { id: value } }, { enabled: value !== '' });
  const name = value === '' ? '' : (chosen.data?.name ?? '');
  return (
    <Chooser key={`${value} ${name}`} value={value} name={name} onChange={onChange}>
      {value !== '' && (
        <IconButton
          // Not the button that opens the list.
          slot={null}
          isSmall
          label={formatMessage({ id: 'events.filter.allWebhooks' })}
          onPress={() => onChange('')}
        >
          <X aria-hidden />
        </IconButton>
      )}
    </Chooser>
  );
}

function Chooser({
  value,
  name,
  onChange,
  children,
}: Props & { readonly name: string; readonly children: React.ReactNode }) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState(name);
  const search = useDeferredValue(text === name ? '' : text.trim());
  const found = useApiQuery(
    'listWebhooks',
    { query: { per_page: 50, sort_by: 'name', ...(search !== '' && { search }) } },
    { keepPrevious: true },
  );
  return (
    <ComboBox
      className="field webhook-field"
      items={found.data?.results ?? []}
      inputValue={text}
      onInputChange={setText}
      defaultFilter={() => true}
      selectedKey={value === '' ? null : value}
      onSelectionChange={(key) => {
        if (key !== null && key !== value) onChange(String(key));
      }}
      menuTrigger="focus"
      allowsEmptyCollection
    >
      <Label className="label">{formatMessage({ id: 'events.filter.webhook' })}</Label>
      <div className="webhook-input">
        <Input className="input" placeholder={formatMessage({ id: 'events.filter.allWebhooks' })} />
        {children}
        <Button className="button quiet icon small">
          <ChevronDown aria-hidden />
        </Button>
      </div>
      <Popover className="popover">
        <ListBox
          className="choices"
          renderEmptyState={() => (
            <p className="choice soft">{formatMessage({ id: 'events.filter.noWebhook' })}</p>
          )}
        >
          {(webhook: { id: string; name: string }) => (
            <ListBoxItem id={webhook.id} textValue={webhook.name} className="choice">
              {webhook.name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
