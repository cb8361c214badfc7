/** A combo box with a search text. */
import { ChevronDown } from 'lucide-react';
import { Button, ComboBox, FieldError, Input, Label, Text } from 'react-aria-components';
import { OptionList, type Option } from './field.tsx';

type SearchSelectProps = {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder?: string;
  /** Shown when nothing matches. */
  readonly none: string;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
  readonly choices: readonly Option[];
  readonly value: string | null;
  readonly onChange: (id: string) => void;
};

/** The selection stays until another option is chosen; other text is reset on blur. */
export function SearchSelect({ choices, value, onChange, ...text }: SearchSelectProps) {
  const { label, hint, placeholder, none, problem, isDisabled } = text;
  return (
    <ComboBox
      className="field"
      defaultItems={choices}
      selectedKey={value}
      menuTrigger="focus"
      allowsEmptyCollection
      isInvalid={problem !== undefined}
      isDisabled={isDisabled}
      onSelectionChange={(key) => {
        if (key !== null) onChange(String(key));
      }}
    >
      <Label className="label">{label}</Label>
      <div className="combo">
        <Input className="input" placeholder={placeholder} />
        <Button className="combo-button">
          <ChevronDown aria-hidden />
        </Button>
      </div>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
      <OptionList none={none} />
    </ComboBox>
  );
}
