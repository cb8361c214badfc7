/** The options of a transform, as a form built from its schema. */
import { useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Checkbox, Select, TextField } from '../../ui/forms/field.tsx';
import { CountryField } from '../../ui/places/country-field.tsx';
import { ZoneField } from '../../ui/places/zone-field.tsx';
import type { Transform } from './use-transforms.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly maxLength?: number;
};
type Values = Readonly<Record<string, unknown>>;

const schemasOf = ({ options }: Transform): readonly (readonly [string, Schema])[] => {
  const { properties = {} } = options as { readonly properties?: Record<string, Schema> };
  return Object.entries(properties);
};

const requiredOf = ({ options }: Transform): readonly string[] =>
  (options as { readonly required?: readonly string[] }).required ?? [];

/** A table is entered line by line: `from = to`. */
const tableText = (table: unknown): string =>
  Object.entries((table ?? {}) as Values)
    .map(([from, to]) => `${from} = ${String(to)}`)
    .join('\n');

function tableOf(text: string): Values {
  const rows = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at < 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const];
  });
  return Object.fromEntries(rows.filter(([from]) => from !== ''));
}

function valueOf({ type }: Schema, written: unknown): unknown {
  if (type === 'boolean') return written === true ? true : undefined;
  const text = typeof written === 'string' ? written : '';
  if (text === '') return undefined;
  if (type === 'integer') return Number.isNaN(Number(text)) ? text : Number(text);
  return type === 'object' ? tableOf(text) : text;
}

function writtenOf({ type }: Schema, value: unknown): unknown {
  if (type === 'boolean') return value === true;
  if (type === 'object') return tableText(value);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

type OptionsProps = {
  readonly transform: Transform;
  readonly options: Values;
  readonly onDone: (options: Values) => void;
};

export function TransformOptions({ transform, options, onDone }: OptionsProps) {
  const { formatMessage } = useIntl();
  const schemas = schemasOf(transform);
  const required = requiredOf(transform);
  const [written, setWritten] = useState<Values>(() =>
    Object.fromEntries(schemas.map(([name, schema]) => [name, writtenOf(schema, options[name])])),
  );
  if (schemas.length === 0) return null;
  const isMissing = required.some((name) => written[name] === '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Nested inside other forms of the page.
    event.stopPropagation();
    const values = schemas.map(([name, schema]) => [name, valueOf(schema, written[name])] as const);
    onDone(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
  };
  return (
    <form className="stack tight" onSubmit={submit}>
      {schemas.map(([name, schema]) => (
        <Option
          key={name}
          name={name}
          label={formatMessage({ id: `mapping.option.${name}` })}
          schema={schema}
          value={written[name]}
          onChange={(value) => setWritten((before) => ({ ...before, [name]: value }))}
        />
      ))}
      <Button type="submit" isSmall variant="primary" isDisabled={isMissing}>
        {formatMessage({ id: 'mapping.apply' })}
      </Button>
    </form>
  );
}

type OptionProps = {
  readonly name: string;
  readonly label: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
};

function Option({ name, label, schema, value, onChange }: OptionProps) {
  const { formatMessage } = useIntl();
  if (schema.type === 'boolean') {
    return (
      <Checkbox isSelected={value === true} onChange={onChange}>
        {label}
      </Checkbox>
    );
  }
  const text = typeof value === 'string' ? value : '';
  if (name === 'region' || name === 'zone') {
    const Place = name === 'region' ? CountryField : ZoneField;
    const noneLabel = formatMessage({ id: `mapping.option.${name}.none` });
    return <Place label={label} noneLabel={noneLabel} value={text} onChange={onChange} />;
  }
  if (schema.enum) {
    const choices = ['', ...schema.enum].map((id) => ({
      id,
      label: id === '' ? formatMessage({ id: 'mapping.option.any' }) : id,
    }));
    return <Select label={label} choices={choices} value={text} onChange={onChange} />;
  }
  const isTable = schema.type === 'object';
  return (
    <TextField
      label={label}
      value={text}
      onChange={onChange}
      {...(isTable
        ? { lines: 4, hint: formatMessage({ id: 'mapping.option.table.hint' }) }
        : { maxLength: schema.maxLength })}
    />
  );
}
