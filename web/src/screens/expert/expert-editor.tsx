/**
 * The expert editor: a mapping document as JSON, with completion, hover texts and diagnostics.
 *
 * Promises: outside changes replace the typed text only when they change the document; `onChange` gets only
 * JSON objects.
 */
import { clsx } from 'clsx';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useMemo, useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorBoundary } from '../../ui/layout/error-boundary.tsx';
import { lazyWithRetry } from '../../ui/layout/lazy-with-retry.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { KnownPath } from './completion.ts';
import type { Schemas } from './schema-lookup.ts';
import type { Problem } from './diagnostics.ts';
import styles from './expert.module.css';

const CodeEditor = lazyWithRetry(async () => (await import('./code-editor.tsx')).CodeEditor);

/** The mapping document as typed by the client. */
type Props<Document extends object> = {
  readonly document: Document;
  /** Undefined: read-only. */
  readonly onChange?: (document: Document) => void;
  /** The errors of the server: JSON pointers, with or without `/mapping` in front. */
  readonly problems?: readonly Problem[];
  readonly label?: string;
  /** Completions for paths. */
  readonly paths?: readonly KnownPath[];
};

const noProblems: readonly Problem[] = [];
const noPaths: readonly KnownPath[] = [];
const noSchemas: Schemas = {};
const textOf = (document: object): string => JSON.stringify(document, null, 2);

function objectOf(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The text, and the document it was parsed to; an equal document leaves the text unchanged. */
function useText(document: object) {
  const [written, setWritten] = useState(() => ({
    text: textOf(document),
    documentText: textOf(document),
  }));
  const wanted = textOf(document);
  const current =
    wanted === written.documentText ? written : { text: wanted, documentText: wanted };
  if (current !== written) setWritten(current);
  return { text: current.text, setWritten, documentText: current.documentText };
}

export function ExpertEditor<Document extends object>(props: Props<Document>) {
  const { document, onChange, problems = noProblems, paths = noPaths } = props;
  const { formatMessage } = useIntl();
  const { text, documentText, setWritten } = useText(document);
  const [goTo, setGoTo] = useState<{ path: string } | null>(null);
  const hintId = useId();
  const knowledge = useKnowledge(paths);
  const diagnosticMessages = useMemo(
    () => ({
      notJson: formatMessage({ id: 'expert.notJson' }),
      unknown: (name: string) => formatMessage({ id: 'expert.unknown' }, { name }),
    }),
    [formatMessage],
  );
  const onText = (next: string) => {
    const object = objectOf(next);
    setWritten({ text: next, documentText: object ? textOf(object) : documentText });
    // The client's type follows the schema that the server validates with.
    if (object) onChange?.(object as Document);
  };
  return (
    <div className={styles.expert}>
      <ErrorBoundary>
        <Suspense fallback={<Loading />}>
          <CodeEditor
            text={text}
            onText={onText}
            label={props.label ?? formatMessage({ id: 'expert.label' })}
            describedBy={hintId}
            isReadOnly={onChange === undefined}
            problems={problems}
            knowledge={knowledge}
            messages={diagnosticMessages}
            goTo={goTo}
          />
        </Suspense>
      </ErrorBoundary>
      <p
        id={hintId}
        className={onChange ? clsx(styles.expertFoot, 'small', 'soft') : 'hidden-visually'}
      >
        {formatMessage({ id: onChange ? 'expert.hint' : 'expert.readOnly' })}
      </p>
      <div role="status">
        {problems.length > 0 && (
          <ul className={clsx('small', styles.expertProblems)}>
            {problems.map((problem) => (
              <li key={`${problem.path} ${problem.message}`}>
                <Button isSmall variant="quiet" onPress={() => setGoTo({ path: problem.path })}>
                  <code className="clip">
                    {problem.path.replace(/^\/mapping(?=\/|$)/, '') || '/'}
                  </code>
                </Button>
                <span className="break">{problem.message}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function useKnowledge(paths: readonly KnownPath[]) {
  const { messages } = useIntl();
  const schemas = useSchemas();
  const { data } = useApiQuery('getTransforms', {});
  return useMemo(
    () => ({
      schemas,
      paths,
      explain: (word: string) => {
        const message = messages[`expert.about.${word}`];
        return typeof message === 'string' ? message : undefined;
      },
      transforms: new Map(data?.transforms.map(({ name, description }) => [name, description])),
    }),
    [schemas, paths, messages, data],
  );
}

/** From the server's OpenAPI document, so it is never outdated. */
function useSchemas(): Schemas {
  const { data } = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v1/openapi.json', { signal });
      const api = (await response.json()) as { components: { schemas: Schemas } };
      return api.components.schemas;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? noSchemas;
}
