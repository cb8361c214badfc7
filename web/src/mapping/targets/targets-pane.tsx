/** The right pane: the targets in their groups, with sources and results. */
import { clsx } from 'clsx';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Disclosure, DisclosurePanel, Button as AriaButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import type { Document } from '../document/mapping-document.ts';
import {
  fieldNameOf,
  fieldNames,
  groups,
  labelCount,
  targetsOf,
  type Group,
} from '../document/targets.ts';
import { newFieldFor } from '../document/new-field.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { TargetProblems } from './target-problems.tsx';
import { TargetRow } from './target-row.tsx';
import mappingStyles from '../mapping.module.css';
import targetsStyles from './targets.module.css';

export function TargetsPane() {
  const { formatMessage } = useIntl();
  return (
    <section
      data-part="targets"
      className={clsx(mappingStyles.pane, targetsStyles.targetsPane, mappingStyles.targetsPane)}
      aria-label={formatMessage({ id: 'mapping.targets' })}
    >
      {groups.map((group) => (
        <TargetGroup key={group.name} group={group} />
      ))}
      <Narrowings />
    </section>
  );
}

function TargetGroup({ group }: { readonly group: Group }) {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const targets = targetsOf(draft.document, group);
  const own = targets.filter((target) => fieldNameOf(target) !== null);
  return (
    <section
      className={targetsStyles.targetGroup}
      aria-label={formatMessage({ id: `mapping.group.${group.name}` })}
    >
      <h2>{formatMessage({ id: `mapping.group.${group.name}` })}</h2>
      <ul>
        {targets
          .filter((target) => fieldNameOf(target) === null)
          .map((target) => (
            <TargetRow key={target} target={target} />
          ))}
      </ul>
      {own.length > 0 && (
        <>
          <h3 className="soft small">{formatMessage({ id: 'mapping.ownFields' })}</h3>
          <ul>
            {own.map((target) => (
              <TargetRow key={target} target={target} />
            ))}
          </ul>
        </>
      )}
      <Adding group={group} />
    </section>
  );
}

/** New fields and labels exist only after a field is chosen for them. */
function Adding({ group }: { readonly group: Group }) {
  const { formatMessage } = useIntl();
  const { draft, pendingTarget, setPendingTarget } = useMappingEditor();
  const { document } = draft;
  const { fields: fieldGroup } = group;
  const [isNaming, setNaming] = useState(false);
  const isBegun =
    pendingTarget !== null &&
    fieldGroup !== undefined &&
    pendingTarget.target.startsWith(`${fieldGroup}.fields.`) &&
    !targetsOf(document, group).includes(pendingTarget.target);
  const nextLabel = `context.labels.${labelCount(document)}`;
  return (
    <div className={clsx('stack tight', targetsStyles.adding)}>
      {isBegun && <TargetRow target={pendingTarget.target} />}
      {group.labels && pendingTarget?.target === nextLabel && <TargetRow target={nextLabel} />}
      <div className="row">
        {group.labels && (
          <Button
            variant="quiet"
            isSmall
            onPress={() => setPendingTarget({ target: nextLabel, mode: 'replace' })}
          >
            <Plus aria-hidden /> {formatMessage({ id: 'mapping.addLabel' })}
          </Button>
        )}
        {fieldGroup && !isNaming && (
          <Button variant="quiet" isSmall onPress={() => setNaming(true)}>
            <Plus aria-hidden /> {formatMessage({ id: `mapping.addField.${fieldGroup}` })}
          </Button>
        )}
      </div>
      {fieldGroup && isNaming && (
        <FieldNaming
          onDone={(name) => {
            setNaming(false);
            if (name === null) return;
            const target = newFieldFor(fieldNames(document, fieldGroup), fieldGroup, name);
            setPendingTarget({ target, mode: 'replace' });
          }}
        />
      )}
    </div>
  );
}

function FieldNaming({ onDone }: { readonly onDone: (name: string | null) => void }) {
  const { formatMessage } = useIntl();
  const [name, setName] = useState('');
  return (
    <form
      className={targetsStyles.naming}
      onSubmit={(event) => {
        event.preventDefault();
        onDone(name.trim() === '' ? null : name);
      }}
    >
      <TextField
        label={formatMessage({ id: 'mapping.fieldName' })}
        value={name}
        onChange={setName}
        maxLength={64}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user just asked for it
        autoFocus
      />
      <Button type="submit" isSmall>
        {formatMessage({ id: 'mapping.chooseField' })}
      </Button>
      <Button variant="quiet" isSmall onPress={() => onDone(null)}>
        {formatMessage({ id: 'ui.cancel' })}
      </Button>
    </form>
  );
}

const narrowings = ['split', 'filter', 'removal'] as const;
type Narrowing = (typeof narrowings)[number];

/** Split, filter and removal: most webhooks need none. */
function Narrowings() {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const { document } = draft;
  const [isOpen, setOpen] = useState(narrowings.some((name) => document[name] !== undefined));
  return (
    <Disclosure
      className={targetsStyles.targetGroup}
      isExpanded={isOpen}
      onExpandedChange={setOpen}
    >
      <h2>
        <AriaButton slot="trigger" className="disclose">
          {formatMessage({ id: 'mapping.more.title' })}
        </AriaButton>
      </h2>
      <DisclosurePanel>
        <div className="stack tight">
          {narrowings.map((name) => (
            <Expression key={name} name={name} />
          ))}
        </div>
      </DisclosurePanel>
    </Disclosure>
  );
}

const withExpression = (document: Document, name: Narrowing, text: string): Document => {
  const { [name]: _, ...rest } = document;
  return text.trim() === '' ? rest : { ...rest, [name]: text };
};

/** Committed on blur or Enter: half an expression would only be invalid. */
function Expression({ name }: { readonly name: Narrowing }) {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const current = draft.document[name] ?? '';
  const [written, setWritten] = useState<string | null>(null);
  const commit = () => {
    if (written !== null) draft.change((before) => withExpression(before, name, written));
    setWritten(null);
  };
  return (
    <div>
      <TextField
        label={formatMessage({ id: `mapping.${name}` })}
        hint={formatMessage({ id: `mapping.${name}.hint` })}
        value={written ?? current}
        onChange={setWritten}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
        maxLength={512}
        spellCheck="false"
      />
      <TargetProblems target={name} />
    </div>
  );
}
