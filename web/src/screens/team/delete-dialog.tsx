/** Asks before an agent, a sector or a label is deleted. One that is in use is not deleted. */
import { useIntl } from 'react-intl';
import type { Operation, Request } from '../../api/client.ts';
import { useApiMutation } from '../../api/use-api.ts';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

type Name = 'deleteAgent' | 'deleteSector' | 'deleteLabel';
/** The operation that deletes, and the id of the record. */
export type Deletion = {
  [name in Name]: { readonly name: name; readonly params: Request<name>['params'] };
}[Name];

type Props = {
  readonly name: string;
  readonly operation: Deletion;
  /** The operations whose answers change. */
  readonly affected: readonly Operation[];
  readonly onClose: () => void;
};

export function DeleteDialog({ name, operation, affected, onClose }: Props) {
  const { formatMessage } = useIntl();
  const remove = useApiMutation(operation.name, {
    invalidates: affected,
    onDone: () => showToast(formatMessage({ id: 'team.deleted' }, { name })),
    onClose,
  });
  return (
    <ConfirmDialog
      title={formatMessage({ id: 'team.delete.title' }, { name })}
      action={formatMessage({ id: 'team.deleteOne' }, { name })}
      isOpen
      isDanger
      isBusy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: operation.params } as Request<Name>)}
    >
      <p>{formatMessage({ id: 'team.delete.what' })}</p>
    </ConfirmDialog>
  );
}
