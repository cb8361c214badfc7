/** Sectors and labels have the same fields under different names. */
import { client } from '../../api/client.ts';
import type { Operation } from '../../api/operation.ts';
import type { Pagings } from '../../ui/data/table.tsx';
import type { Deletion } from './delete-dialog.tsx';

export type NamedRecord = {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly isActive: boolean;
};
export type NamedRecordDraft = Omit<NamedRecord, 'id'>;

type Paging = { readonly current_page: number; readonly per_page: number };

export type RecordKind = {
  readonly part: 'sectors' | 'labels';
  /** The operations whose answers change with a record. */
  readonly affected: readonly Operation[];
  readonly list: (
    paging: Paging,
    search: string,
    signal: AbortSignal,
  ) => Promise<{ readonly results: readonly NamedRecord[]; readonly pagings: Pagings }>;
  readonly create: (draft: NamedRecordDraft) => Promise<unknown>;
  readonly update: (id: string, draft: NamedRecordDraft) => Promise<unknown>;
  readonly deletion: (id: string) => Deletion;
};

const statusOf = ({ isActive }: NamedRecordDraft): 'active' | 'disabled' =>
  isActive ? 'active' : 'disabled';

export const sectorKind: RecordKind = {
  part: 'sectors',
  affected: ['listSectors', 'listActiveSectors', 'listChatSectors', 'listTransferSectors'],
  async list(paging, search, signal) {
    const query = { ...paging, ...(search !== '' && { name: search }) };
    const { results, pagings } = await client.call('listSectors', { query, signal });
    const records = results.map(({ sector_id: id, name, color, sector_status: its }) => ({
      id,
      name,
      color,
      isActive: its.sector_status_id === 'active',
    }));
    return { results: records, pagings };
  },
  create: (draft) => client.call('createSector', { body: sectorBody(draft) }),
  update: (sectorId, draft) =>
    client.call('updateSector', { params: { sectorId }, body: sectorBody(draft) }),
  deletion: (sectorId) => ({ name: 'deleteSector', params: { sectorId } }),
};

const sectorBody = (draft: NamedRecordDraft) => ({
  name: draft.name,
  color: draft.color,
  sector_status_id: statusOf(draft),
});

export const labelKind: RecordKind = {
  part: 'labels',
  affected: ['listLabels', 'listActiveLabels', 'listChatLabels'],
  async list(paging, search, signal) {
    const query = { ...paging, ...(search !== '' && { label: search }) };
    const { results, pagings } = await client.call('listLabels', { query, signal });
    const records = results.map(({ label_template_id: id, label, color, label_status: its }) => ({
      id,
      name: label,
      color,
      isActive: its.label_status_id === 'active',
    }));
    return { results: records, pagings };
  },
  create: (draft) => client.call('createLabel', { body: labelBody(draft) }),
  update: (labelTemplateId, draft) =>
    client.call('updateLabel', { params: { labelTemplateId }, body: labelBody(draft) }),
  deletion: (labelTemplateId) => ({ name: 'deleteLabel', params: { labelTemplateId } }),
};

const labelBody = (draft: NamedRecordDraft) => ({
  label: draft.name,
  color: draft.color,
  label_status: { label_status_id: statusOf(draft) },
});
