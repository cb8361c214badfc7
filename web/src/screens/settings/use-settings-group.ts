/**
 * One group of settings: its draft, its changes, and saving.
 *
 * Promises: only changed members are sent, with the ETag of the last read; a change without secrets can be
 * undone.
 * Must never: overwrite a secret that someone else set, unless the user was warned and saves again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { client, InletError, type Answer, type Request } from '../../api/client.ts';
import { queryKeyOf, useApiQueryWithEtag } from '../../api/use-api.ts';
import { errorMessage } from '../../ui/feedback/error-note.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { mergePatchBetween } from '../../api/merge-patch.ts';
import { conflictingFields, rebaseDraft } from './rebase.ts';
import { storeUnsaved, loadUnsaved } from './unsaved-drafts.ts';

export type Saved = Answer<'getWebhookSettings'>;
type Tagged = { readonly data: Saved; readonly tag: string | null };
type SettingsPart = Exclude<keyof Saved, 'updatedAt'>;
type Body = Request<'updateWebhookSettings'>['body'];

export const useSettings = (id: string) =>
  useApiQueryWithEtag('getWebhookSettings', { params: { id } });

/** The props of every group. */
export type GroupProps = {
  readonly webhookId: string;
  readonly read: Tagged;
  readonly isFixed: boolean;
};

/** The read-only view of secrets is not part of the update. */
function settable(saved: Saved, part: SettingsPart): unknown {
  const value = saved[part];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const {
    secretsSet: _secrets,
    verifyTokenSet: _token,
    ...rest
  } = value as Record<string, unknown>;
  return rest;
}

const hasSecrets = ({ signature, handshake }: Saved, part: SettingsPart): boolean =>
  (part === 'signature' && (signature?.secretsSet ?? 0) > 0) ||
  (part === 'handshake' && handshake?.verifyTokenSet === true);

/** The newest updates made here: from the ETag that each was sent with to the new one. */
const ownUpdates = new Map<string | null, string | null>();
/** An older update counts as foreign, which only warns the user once more. */
const maxOwnUpdates = 100;

function recordOwnUpdate(before: string | null, after: string | null): void {
  ownUpdates.delete(before);
  ownUpdates.set(before, after);
  const [oldest] = ownUpdates.keys();
  if (ownUpdates.size > maxOwnUpdates && oldest !== undefined) ownUpdates.delete(oldest);
}

/** True when only updates made here lie between two ETags. */
function isOurs(then: Tagged, now: Tagged): boolean {
  let { tag } = then;
  for (let steps = 0; tag !== now.tag && steps < ownUpdates.size; steps += 1) {
    tag = ownUpdates.get(tag) ?? null;
  }
  return tag === now.tag;
}

/** All groups share one ETag. Changes of a secret are invisible, so any foreign ETag may mean a new secret. */
function isAsItWas(
  { part, secrets }: { readonly part: SettingsPart; readonly secrets?: unknown },
  then: Tagged,
  now: Tagged,
): boolean {
  return secrets === undefined
    ? mergePatchBetween(settable(then.data, part), settable(now.data, part)) === undefined
    : isOurs(then, now);
}

type Terms<Draft> = {
  readonly part: SettingsPart;
  readonly formOf: (saved: Saved) => Draft;
  /** Message ids of the fields, for conflict notes; secrets and values without a text form are left out. */
  readonly names: Partial<Readonly<Record<keyof Draft, string>>>;
  /** Fields that are never stored, with their empty values. */
  readonly secrets?: Partial<Draft>;
  /** The updated part; null removes it. */
  readonly wantedOf: (draft: Draft) => unknown;
  readonly isValid: (draft: Draft) => boolean;
};

type Written<Draft> = { readonly draft: Draft; readonly from: Tagged };

export type FieldConflict = {
  /** Its message id. */
  readonly name: string;
  readonly theirs: string;
  readonly yours: string;
};

export type SettingsGroupState<Draft> = {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly isChanged: boolean;
  readonly canSave: boolean;
  readonly isBusy: boolean;
  /** The fields that someone else changed too: the saved value and the draft. */
  readonly late: readonly FieldConflict[] | null;
  readonly error: unknown;
  readonly problemAt: (path: string) => string | undefined;
  readonly save: () => Promise<void>;
  readonly discard: () => void;
};

/** Sends the update and returns the new settings. */
function useChange({ webhookId: id }: GroupProps) {
  const queries = useQueryClient();
  const language = useLanguage();
  const params = { id };
  const keepPrevious = (answer: Tagged): Tagged => {
    queries.setQueryData(
      [...queryKeyOf('getWebhookSettings', { params }), language, 'tagged'],
      answer,
    );
    return answer;
  };
  const readAgain = async () => keepPrevious(await client.read('getWebhookSettings', { params }));
  const change = async (body: Body, tag: string | null): Promise<Tagged> => {
    const headers: Record<string, string> = tag === null ? {} : { 'if-match': tag };
    const answer = await client.read('updateWebhookSettings', { params, body, headers });
    void queries.invalidateQueries({ queryKey: ['getWebhook'] });
    recordOwnUpdate(tag, answer.tag);
    return keepPrevious(answer);
  };
  return { change, readAgain };
}

export function useSettingsGroup<Draft extends object>(
  props: GroupProps,
  terms: Terms<Draft>,
): SettingsGroupState<Draft> {
  const { part, names, secrets, formOf, wantedOf, isValid } = terms;
  const { formatMessage } = useIntl();
  const queries = useQueryClient();
  const { change, readAgain } = useChange(props);
  const storageKey = `${props.webhookId} ${part}`;
  const [written, setState] = useState(() =>
    props.isFixed ? null : loadUnsaved<Written<Draft>>(storageKey),
  );
  const setWritten = (next: Written<Draft> | null) => {
    setState(next);
    storeUnsaved(storageKey, next && { ...next, draft: { ...next.draft, ...secrets } });
  };
  // The undo fails after another change: its ETag is outdated, and the user is told.
  const base = written && !isAsItWas(terms, written.from, props.read) ? written.from : props.read;
  const { data: saved, tag } = base;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [late, setLate] = useState<readonly FieldConflict[] | null>(null);
  const draft = written?.draft ?? formOf(saved);
  const wanted = isValid(draft)
    ? mergePatchBetween(settable(saved, part), wantedOf(draft))
    : undefined;
  const fields = error instanceof InletError ? (error.details.fields ?? []) : [];

  async function restorePrevious(back: unknown, newTag: string | null) {
    try {
      await change({ [part]: back } as Body, newTag);
      showToast(formatMessage({ id: 'settings.takenBack' }));
    } catch (problem) {
      showToast(errorMessage(problem, formatMessage({ id: 'ui.noAnswer' })));
    }
  }

  /** A change of another group is no conflict here. */
  async function send(body: Body): Promise<Tagged | null> {
    try {
      return await change(body, tag);
    } catch (problem) {
      if (!(problem instanceof InletError && problem.status === 412)) throw problem;
      const now = await readAgain();
      if (isAsItWas(terms, base, now)) return change(body, now.tag);
      const forms = { from: formOf(saved), now: formOf(now.data) };
      const conflicts = conflictingFields(draft, forms).flatMap((field): FieldConflict[] => {
        const [theirs, yours, name] = [forms.now[field], draft[field], names[field]];
        const isText = typeof theirs === 'string' && typeof yours === 'string';
        return name !== undefined && isText ? [{ name, theirs, yours }] : [];
      });
      setWritten({ draft: rebaseDraft(draft, forms), from: now });
      setLate(conflicts);
      return null;
    }
  }

  async function save() {
    if (wanted === undefined) return;
    setBusy(true);
    setError(null);
    setLate(null);
    try {
      const answer = await send({ [part]: wanted } as Body);
      if (answer === null) return setBusy(false);
      setWritten(null);
      const back = mergePatchBetween(settable(answer.data, part), settable(saved, part));
      const isLost = hasSecrets(saved, part) || hasSecrets(answer.data, part);
      const undo =
        back === undefined || isLost ? undefined : () => void restorePrevious(back, answer.tag);
      showToast(formatMessage({ id: 'settings.saved' }), undo);
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  }

  return {
    draft,
    set: (more) => setWritten({ draft: { ...draft, ...more }, from: written?.from ?? props.read }),
    isChanged: written !== null,
    canSave: wanted !== undefined && !isBusy && !props.isFixed,
    isBusy,
    late,
    error,
    problemAt: (path) => fields.find((field) => field.path.startsWith(path))?.message,
    save,
    discard: () => {
      setWritten(null);
      setError(null);
      setLate(null);
      void queries.invalidateQueries({ queryKey: ['getWebhookSettings'] });
    },
  };
}
