/** Searches names and values in a JSON tree. */
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { IconButton } from '../forms/button.tsx';
import { findNodes, type Node } from './json-tree.ts';

const maxMatches = 1_000;

export function JsonSearch({
  root,
  controls,
  onFound,
}: {
  readonly root: Node;
  /** The id of the tree. */
  readonly controls: string;
  readonly onFound: (node: Node) => void;
}) {
  const { formatMessage } = useIntl();
  const [text, setText] = useState('');
  const [at, setAt] = useState(-1);
  const query = useDeferredValue(text.trim());
  const found = useMemo(
    () => (query === '' ? [] : findNodes(root, query, maxMatches)),
    [root, query],
  );
  const go = (step: number) => {
    if (found.length === 0) return;
    const next =
      at < 0 ? (step > 0 ? 0 : found.length - 1) : (at + step + found.length) % found.length;
    const node = found[next];
    setAt(next);
    if (node) onFound(node);
  };
  const count = formatMessage(
    { id: at < 0 ? 'json.found' : 'json.foundAt' },
    { count: found.length, at: at + 1, isMore: String(found.length === maxMatches) },
  );
  return (
    <div className="json-search">
      <SearchField
        aria-label={formatMessage({ id: 'json.search' })}
        aria-controls={controls}
        value={text}
        onChange={(next) => {
          setText(next);
          setAt(-1);
        }}
        onSubmit={() => go(1)}
        className="field"
      >
        <Input className="input" placeholder={formatMessage({ id: 'json.search' })} />
      </SearchField>
      <span className="small soft numbers json-count" role="status">
        {query !== '' && count}
      </span>
      {query !== '' && (
        <>
          <IconButton
            isSmall
            isDisabled={found.length === 0}
            label={formatMessage({ id: 'json.before' })}
            onPress={() => go(-1)}
          >
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton
            isSmall
            isDisabled={found.length === 0}
            label={formatMessage({ id: 'json.next' })}
            onPress={() => go(1)}
          >
            <ChevronDown aria-hidden />
          </IconButton>
        </>
      )}
    </div>
  );
}
