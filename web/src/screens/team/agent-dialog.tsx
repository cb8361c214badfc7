/** Creates or edits an agent. */
import { useState, type FormEvent } from 'react';
import { useIntl } from 'react-intl';
import { InletError, type Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { FormFooter } from '../../ui/overlays/form-footer.tsx';
import styles from './team.module.css';

export type Agent = Answer<'listUsers'>['results'][number];

type Props = {
  /** Null: creates one. */
  readonly agent: Agent | null;
  readonly onClose: () => void;
};

/** The operations whose answers change with an agent. */
export const agentOperations = ['listUsers', 'listActiveUsers', 'listTransferUsers'] as const;

type Draft = {
  readonly name: string;
  readonly lastName: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly sectorIds: readonly string[];
};

const draftOf = (agent: Agent | null): Draft => ({
  name: agent?.name ?? '',
  lastName: agent?.last_name ?? '',
  email: agent?.email ?? '',
  isActive: agent?.status !== 'disabled',
  sectorIds: agent?.sector_ids ?? [],
});

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function useSave({ agent, onClose }: Props) {
  const { formatMessage } = useIntl();
  const onDone = ({ name }: { readonly name: string }) =>
    showToast(formatMessage({ id: 'team.saved' }, { name }));
  const create = useApiMutation('createAgent', { invalidates: agentOperations, onDone, onClose });
  const update = useApiMutation('updateAgent', { invalidates: agentOperations, onDone, onClose });
  const mutation = agent === null ? create : update;
  function save(draft: Draft): void {
    const body = {
      name: draft.name.trim(),
      lastName: textOrNull(draft.lastName),
      email: textOrNull(draft.email),
      sectorIds: [...draft.sectorIds],
    };
    if (agent === null) create.mutate({ body });
    else
      update.mutate({
        params: { id: agent.user_id },
        body: { ...body, status: draft.isActive ? 'active' : 'disabled' },
      });
  }
  return { save, error: mutation.error, isPending: mutation.isPending };
}

const problemAt = (error: Error | null, path: string): string | undefined =>
  error instanceof InletError
    ? error.details.fields?.find((field) => field.path === path)?.message
    : undefined;

export function AgentDialog({ agent, onClose }: Props) {
  const { formatMessage } = useIntl();
  const [draft, setDraft] = useState(draftOf(agent));
  const { save, error, isPending } = useSave({ agent, onClose });
  const label = (id: string) => formatMessage({ id: `team.${id}` });
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.name.trim() !== '') save(draft);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        agent === null
          ? label('agents.new')
          : formatMessage({ id: 'team.editOne' }, { name: agent.name })
      }
    >
      <form className="stack" onSubmit={submit}>
        <TextField
          label={label('firstName')}
          isRequired
          maxLength={100}
          value={draft.name}
          onChange={(name) => set({ name })}
          problem={problemAt(error, '/name')}
        />
        <TextField
          label={label('lastName')}
          maxLength={100}
          value={draft.lastName}
          onChange={(lastName) => set({ lastName })}
          problem={problemAt(error, '/lastName')}
        />
        <TextField
          label={label('email')}
          type="email"
          maxLength={320}
          value={draft.email}
          onChange={(email) => set({ email })}
          problem={problemAt(error, '/email')}
        />
        <SectorChoice chosen={draft.sectorIds} onChange={(sectorIds) => set({ sectorIds })} />
        {agent !== null && (
          <Checkbox
            isSelected={draft.isActive}
            onChange={(isActive) => set({ isActive })}
            hint={label('agents.active.hint')}
          >
            {label('active')}
          </Checkbox>
        )}
        <FormFooter error={error} isPending={isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type SectorProps = {
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
};

/** Renders nothing without sectors. */
function SectorChoice({ chosen, onChange }: SectorProps) {
  const { formatMessage } = useIntl();
  const sectors = useApiQuery('listActiveSectors', {}).data ?? [];
  if (sectors.length === 0) return null;
  return (
    <fieldset className={styles.teamSectors}>
      <legend>{formatMessage({ id: 'team.sectors' })}</legend>
      {sectors.map(({ sector_id: id, name }) => (
        <Checkbox
          key={id}
          isSelected={chosen.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...chosen, id] : chosen.filter((one) => one !== id))}
        >
          {name}
        </Checkbox>
      ))}
    </fieldset>
  );
}
