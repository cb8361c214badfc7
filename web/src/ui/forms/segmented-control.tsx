/** A segmented control: one choice of a few. */
import { Label, Radio, RadioGroup } from 'react-aria-components';

type Segment = { readonly id: string; readonly label: string };

export const SegmentedControl = ({
  label,
  segments,
  value,
  onChange,
}: {
  /** Visually hidden label. */
  readonly label: string;
  readonly segments: readonly Segment[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}) => (
  <RadioGroup className="segments" value={value} onChange={onChange} orientation="horizontal">
    <Label className="hidden-visually">{label}</Label>
    {segments.map(({ id, label: text }) => (
      <Radio key={id} value={id} className="segment">
        {text}
      </Radio>
    ))}
  </RadioGroup>
);
