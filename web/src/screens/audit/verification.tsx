/** Verifies the hash chain of the log, optionally against a row noted earlier. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client, type Answer } from '../../api/client.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import styles from './audit.module.css';

type Verified = Answer<'verifyAudit'>;

export function Verification() {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `audit.verify.${id}` });
  const [[seq, head], setNoted] = useState(['', '']);
  const [isBusy, setBusy] = useState(false);
  const [result, setResult] = useState<Verified | null>(null);
  const [error, setError] = useState<unknown>(null);
  const isNoted = /^\d+$/.test(seq ?? '') && /^[0-9a-f]{64}$/.test(head ?? '');
  const isHalf = !isNoted && `${seq}${head}` !== '';
  async function verify() {
    setBusy(true);
    setError(null);
    try {
      const query = isNoted ? { seq: Number(seq), head } : {};
      setResult(await client.call('verifyAudit', { query }));
    } catch (problem) {
      setResult(null);
      setError(problem);
    }
    setBusy(false);
  }
  return (
    <Card
      title={label('title')}
      actions={
        <Button isDisabled={isBusy || isHalf} onPress={() => void verify()}>
          {label(isBusy ? 'busy' : 'action')}
        </Button>
      }
    >
      <p className="soft">{label('what')}</p>
      <details>
        <summary className="small">{label('noted')}</summary>
        <div className={clsx('grid', styles.noted)}>
          <TextField
            label={label('seq')}
            inputMode="numeric"
            value={seq ?? ''}
            onChange={(text) => setNoted([text.trim(), head ?? ''])}
          />
          <TextField
            label={label('head')}
            value={head ?? ''}
            onChange={(text) => setNoted([seq ?? '', text.trim()])}
            problem={isHalf ? label('half') : undefined}
          />
        </div>
      </details>
      <div role="status" className="stack tight">
        {error !== null && <ErrorNote error={error} />}
        {result && <Result result={result} />}
      </div>
    </Card>
  );
}

function Result({
  result: { ok, checked, redacted, broken, head, matches },
}: {
  readonly result: Verified;
}) {
  const { formatMessage } = useIntl();
  if (!ok || broken) {
    return (
      <Note tone="bad">
        <p>{formatMessage({ id: 'audit.verify.broken' }, { seq: broken?.seq ?? 0 })}</p>
        {broken && <p>{formatMessage({ id: `audit.verify.reason.${broken.reason}` })}</p>}
      </Note>
    );
  }
  return (
    <>
      <Note tone="good">
        <p>{formatMessage({ id: 'audit.verify.ok' }, { checked, redacted })}</p>
        {matches === true && <p>{formatMessage({ id: 'audit.verify.matches' })}</p>}
      </Note>
      {head && (
        <>
          <p className="small soft">
            {formatMessage({ id: 'audit.verify.keep' }, { seq: head.seq })}
          </p>
          <CopyableText
            text={`${head.seq} ${head.hash}`}
            label={formatMessage({ id: 'audit.verify.copy' })}
          />
        </>
      )}
    </>
  );
}
