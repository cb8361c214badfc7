/** Defers deletions until the undo period is over: a deleted sample cannot be restored. */
import { useEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { useInvalidate } from '../../api/use-api.ts';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { closeToast, showToast } from '../../ui/overlays/toast.tsx';

/** As long as the undo toast is shown. */
const waitMs = 12_000;

/** `leaving`: the samples to hide. Leaving the screen deletes them at once. */
export function useDeferredDeletion(webhookId: string) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(new Set());
  const waiting = useRef(new Map<string, ReturnType<typeof setTimeout>>());
  const deleteNow = useRef(async (_sampleId: string) => {});
  const stay = (sampleId: string) => {
    clearTimeout(waiting.current.get(sampleId));
    waiting.current.delete(sampleId);
    setLeaving((before) => new Set([...before].filter((one) => one !== sampleId)));
  };
  useEffect(() => {
    deleteNow.current = async (sampleId) => {
      waiting.current.delete(sampleId);
      closeToast(`sample ${sampleId}`);
      try {
        await client.call('deleteWebhookSample', { params: { id: webhookId, sampleId } });
        refresh('listWebhookSamples');
      } catch (error) {
        stay(sampleId);
        showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' })));
      }
    };
  });
  useEffect(() => {
    const left = waiting.current;
    return () => {
      for (const [sampleId, timer] of left) {
        clearTimeout(timer);
        void deleteNow.current(sampleId);
      }
    };
  }, []);
  const remove = (sampleId: string) => {
    setLeaving((before) => new Set([...before, sampleId]));
    waiting.current.set(
      sampleId,
      setTimeout(() => void deleteNow.current(sampleId), waitMs),
    );
    showToast(formatMessage({ id: 'samples.deleted' }), () => stay(sampleId), `sample ${sampleId}`);
  };
  return { leaving, remove };
}
