/** Form fields, each with label, hint and error. */
import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button,
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  type TextFieldProps,
} from 'react-aria-components';

type LabelProps = {
  readonly label: string;
  /** Visually hidden label. */
  readonly isLabelHidden?: boolean;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly placeholder?: string;
};

type TextProps = Omit<TextFieldProps, 'className' | 'children'> &
  LabelProps & { readonly lines?: number };

function FieldLabel({ label, isLabelHidden = false }: LabelProps) {
  return <Label className={isLabelHidden ? 'hidden-visually' : 'label'}>{label}</Label>;
}

export function TextField({ lines, placeholder, problem, ...props }: TextProps) {
  const { label, isLabelHidden, hint, ...rest } = props;
  return (
    <AriaTextField {...rest} className="field" isInvalid={problem !== undefined}>
      <FieldLabel label={label} isLabelHidden={isLabelHidden} />
      {lines === undefined ? (
        <Input className="input" placeholder={placeholder} />
      ) : (
        <AriaTextArea className="input" rows={lines} placeholder={placeholder} />
      )}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
    </AriaTextField>
  );
}

export type Option = { readonly id: string; readonly label: string; readonly hint?: string };

type ChoicesProps = {
  readonly choices?: readonly Option[];
  /** Shown when there are no options. */
  readonly none?: string;
};

/**
 * The option list of a select or combo box. The hint is part of the option's accessible name. Without `choices`
 * the parent provides them.
 */
export const OptionList = ({ choices, none }: ChoicesProps) => (
  <Popover className="popover">
    <ListBox<Option>
      className="choices"
      items={choices}
      renderEmptyState={() => <p className="none-found soft">{none}</p>}
    >
      {({ id, label, hint }) => (
        <ListBoxItem id={id} textValue={label} className="choice">
          <span>{label}</span>
          {hint !== undefined && <span className="hint">{hint}</span>}
        </ListBoxItem>
      )}
    </ListBox>
  </Popover>
);

type SelectProps = LabelProps & {
  readonly choices: readonly Option[];
  readonly value: string | null;
  readonly onChange: (id: string) => void;
  readonly isDisabled?: boolean;
};

export function Select({ choices, value, onChange, isDisabled, ...text }: SelectProps) {
  const { hint, problem, placeholder } = text;
  return (
    <AriaSelect
      className="field"
      selectedKey={value}
      onSelectionChange={(key) => onChange(String(key))}
      isDisabled={isDisabled}
      isInvalid={problem !== undefined}
      placeholder={placeholder ?? '—'}
    >
      <FieldLabel {...text} />
      <Button className="select-button">
        <SelectValue className="clip">
          {({ defaultChildren, selectedText }) => selectedText || defaultChildren}
        </SelectValue>
        <ChevronDown aria-hidden />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
      <OptionList choices={choices} />
    </AriaSelect>
  );
}

type CheckProps = {
  readonly children: ReactNode;
  readonly hint?: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
};

export function Checkbox({ children, hint, ...props }: CheckProps) {
  return (
    <AriaCheckbox {...props} className="check">
      <span className="box">
        <Check aria-hidden strokeWidth={3} />
      </span>
      <span>
        {children}
        {hint !== undefined && <span className="hint">{hint}</span>}
      </span>
    </AriaCheckbox>
  );
}
