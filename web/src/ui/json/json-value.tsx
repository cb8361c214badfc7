/** The selected node of a JSON tree: its path, and its value in chunks. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../forms/button.tsx';
import { kindOf, pathOf, sizeOf, textOf, type Node } from './json-tree.ts';
import { CopyButton } from '../text/copyable-text.tsx';

/** The length at first, and the length added by "show more". */
const initialLength = 160;
const stepLength = 50_000;

export function JsonValue({ node }: { readonly node: Node }) {
  const { formatMessage } = useIntl();
  const path = pathOf(node);
  return (
    <div className="json-value">
      <div className="json-line">
        <span className="soft small json-term">{formatMessage({ id: 'json.path' })}</span>
        <code className="break">{path === '' ? '@' : path}</code>
        {path !== '' && <CopyButton text={path} label={formatMessage({ id: 'json.copyPath' })} />}
      </div>
      <FullValue key={path} value={node.value} />
    </div>
  );
}

function FullValue({ value }: { readonly value: unknown }) {
  const { formatMessage } = useIntl();
  const [length, setLength] = useState(initialLength);
  const kind = kindOf(value);
  const isScalar = kind !== 'object' && kind !== 'list';
  const text = isScalar ? textOf(value) : '';
  return (
    <div className="json-line">
      <span className="soft small json-term">{formatMessage({ id: `json.kind.${kind}` })}</span>
      {isScalar ? (
        <WrappedText text={text} length={length} />
      ) : (
        <span className="soft small">
          {formatMessage({ id: `json.${kind}` }, { count: sizeOf(value) })}
        </span>
      )}
      <span className="row json-actions">
        {isScalar && text.length > length && (
          <Button isSmall onPress={() => setLength(length + stepLength)}>
            {formatMessage(
              { id: text.length <= length + stepLength ? 'json.showAll' : 'json.showMore' },
              { count: text.length },
            )}
          </Button>
        )}
        <CopyButton text={() => textOf(value)} label={formatMessage({ id: 'json.copyValue' })} />
      </span>
    </div>
  );
}

/** A scroll container with keyboard focus when the text is long. */
function WrappedText({ text, length }: { readonly text: string; readonly length: number }) {
  const shown = text.length > length ? `${text.slice(0, length)}…` : text;
  if (length <= initialLength) return <bdi className="mono json-whole">{shown}</bdi>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <pre className="json-whole" tabIndex={0}>
      {shown}
    </pre>
  );
}
