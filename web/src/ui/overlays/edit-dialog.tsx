/** An edit dialog with optimistic locking: a concurrent change is reported, and the user can reload. */
import { useQuery, type UseMutationResult } from '@tanstack/react-query';
import { Fragment, type ReactNode } from 'react';
import { InletError } from '../../api/client.ts';
import { Button } from '../forms/button.tsx';
import { Dialog } from './dialog.tsx';
import { FormFooter } from './form-footer.tsx';
import { ErrorNote } from '../feedback/error-note.tsx';
import { Note } from '../feedback/note.tsx';
import { Loading } from '../feedback/loading.tsx';

type DialogProps<Value> = {
  /** Identifies the edited resource. */
  readonly of: readonly string[];
  readonly read: () => Promise<Value>;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (value: Value, onAgain: () => void) => ReactNode;
};

/** The form resets with each load. */
export function EditDialog<Value>({ of, read, title, onClose, children }: DialogProps<Value>) {
  const found = useQuery({
    queryKey: ['edit', ...of],
    queryFn: read,
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {found.isPending && <Loading lines={3} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.isSuccess && (
        <Fragment key={found.dataUpdatedAt}>
          {children(found.data, () => void found.refetch())}
        </Fragment>
      )}
    </Dialog>
  );
}

type FootProps = {
  readonly update: Pick<UseMutationResult<unknown>, 'error' | 'isPending'>;
  readonly stale: string;
  readonly again: string;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

/** The error and the buttons. */
export function EditFooter({ update, stale, again, onAgain, onClose }: FootProps) {
  const { error, isPending } = update;
  const isStale = error instanceof InletError && error.status === 412;
  return (
    <>
      {isStale && (
        <Note tone="warn" isLive>
          <p>{stale}</p>
          <div>
            <Button isSmall onPress={onAgain}>
              {again}
            </Button>
          </div>
        </Note>
      )}
      <FormFooter error={isStale ? null : error} isPending={isPending} onClose={onClose} />
    </>
  );
}
