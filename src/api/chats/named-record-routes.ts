/** /v1/label-template and /v1/sector */
import { Type } from 'typebox';
import type { Static, TObject, TSchema } from 'typebox';
import { orNotFound, valueOrThrow } from '../../base/errors.ts';
import {
  namedRecordStatuses,
  type NamedRecord,
  type NamedRecordStatus,
} from '../../domain/messages/named-record.ts';
import { commaList, filterText } from '../../http/requests/query.ts';
import { listRoute } from '../../http/routing/resource.ts';
import { route, type None, type Route } from '../../http/routing/route.ts';
import {
  changeObject,
  id,
  name,
  nothing,
  nullable,
  strictObject,
  stringEnum,
  text,
  time,
} from '../../http/routing/schemas.ts';
import type { ApiContext } from '../context.ts';

const color = Type.String({ minLength: 1, maxLength: 20 });
const status = stringEnum(namedRecordStatuses);

/** The platform family writes states as numbers from 1, in this order. */
const statusId = Type.Union([status, Type.Integer({ minimum: 1, maximum: 2 })]);
const statusOf = (given: Static<typeof statusId>): NamedRecordStatus =>
  typeof given === 'number' ? (namedRecordStatuses[given - 1] ?? 'active') : given;
const shownStatusOf = ({ status: stored = 'active' }: NamedRecord) => stored;

export const leanLabel = strictObject({ label_template_id: id, label: text, color: text });
export const presentLeanLabel = (record: NamedRecord) => ({
  label_template_id: record._id,
  label: record.name,
  color: record.color,
});

export const leanSector = strictObject({ sector_id: id, name: text, color: text });
export const presentLeanSector = (record: NamedRecord) => ({
  sector_id: record._id,
  name: record.name,
  color: record.color,
});

const label = strictObject({
  ...leanLabel.properties,
  label_status: strictObject({ label_status_id: status }),
  created_at: time,
});
const presentLabel = (record: NamedRecord): Static<typeof label> => ({
  ...presentLeanLabel(record),
  label_status: { label_status_id: shownStatusOf(record) },
  created_at: record.createdAt,
});

const sector = strictObject({
  ...leanSector.properties,
  account: Type.Null({ description: 'An installation is one account.' }),
  sector_status: strictObject({ sector_status_id: status }),
  created_at: time,
});
const presentSector = (record: NamedRecord): Static<typeof sector> => ({
  ...presentLeanSector(record),
  account: null,
  sector_status: { sector_status_id: shownStatusOf(record) },
  created_at: record.createdAt,
});

type Kind<Shown extends TSchema, New extends TObject, Change extends TObject> = {
  readonly tag: 'Labels' | 'Sectors';
  readonly operations: Readonly<
    Record<
      'list' | 'get' | 'create' | 'update' | 'delete',
      { operationId: string; summary: string }
    >
  >;
  readonly schemaName: string;
  readonly path: string;
  /** Of its id in the path. */
  readonly idName: string;
  /** The field with the name. */
  readonly nameField: 'label' | 'name';
  readonly answer: Shown;
  readonly present: (record: NamedRecord) => Static<Shown>;
  readonly newRecord: New;
  readonly change: Change;
  readonly read: (given: Partial<Static<New>>) => Changed;
};

type Records = ApiContext['labels'];
type Changed = Parameters<Records['change']>[1];
type ListQuery = {
  readonly label?: string;
  readonly name?: string;
  readonly status?: readonly NamedRecordStatus[];
};

const changeOf = (
  newName: string | undefined,
  newColor: string | undefined,
  newStatus: Static<typeof statusId> | null | undefined,
): Changed => ({
  ...(newName !== undefined && { name: newName }),
  ...(newColor !== undefined && { color: newColor }),
  ...(newStatus !== undefined && newStatus !== null && { status: statusOf(newStatus) }),
});

const namedRoutes = <Shown extends TSchema, New extends TObject, Change extends TObject>(
  records: Records,
  kind: Kind<Shown, New, Change>,
): Route[] => {
  const { operations, tag, path, nameField, answer, present, newRecord, read } = kind;
  const params = strictObject({ [kind.idName]: id });
  const idOf = (given: Readonly<Record<string, string>>) => given[kind.idName] ?? '';
  const common = { scope: 'inbox', tag } as const;
  const one = {
    ...common,
    path: `${path}/:${kind.idName}`,
    params,
    find: (given: Readonly<Record<string, string>>) => records.get(idOf(given)),
  } as const;
  return [
    listRoute(
      { answer, present },
      {
        ...common,
        path,
        restriction: 'anything',
        ...operations.list,
        sortable: { [nameField]: 'nameKey', created_at: 'createdAt' },
        sortBy: nameField,
        filters: { [nameField]: Type.Optional(filterText), status: commaList(status) },
        list: ({ query }, page) => {
          const asked = query as ListQuery;
          return records.list({ search: asked[nameField], status: asked.status }, page);
        },
      },
    ),
    route<TSchema, typeof params>({
      ...one,
      find: undefined,
      method: 'GET',
      restriction: 'anything',
      ...operations.get,
      schemaName: kind.schemaName,
      answer,
      handle: async ({ params: given }) => present(orNotFound(await one.find(given))),
    }),
    route<TSchema, None, None, New>({
      ...common,
      method: 'POST',
      path,
      ...operations.create,
      status: 201,
      body: newRecord,
      answer,
      handle: async ({ body, executor }) => {
        const given = { status: 'active', ...read(body as Partial<Static<New>>) } as Parameters<
          Records['create']
        >[0];
        return present(valueOrThrow(await records.create(given, executor.actor), 'conflict'));
      },
    }),
    route<TSchema, typeof params, None, Change>({
      ...one,
      method: 'PATCH',
      ...operations.update,
      body: kind.change,
      answer,
      handle: async ({ params: given, body, executor }) => {
        const change = read(body as Partial<Static<New>>);
        const changed = await records.change(idOf(given), change, executor.actor);
        return present(valueOrThrow(changed, 'conflict'));
      },
    }),
    route<TSchema, typeof params>({
      ...one,
      method: 'DELETE',
      ...operations.delete,
      answer: nothing,
      handle: async ({ params: given, executor }) =>
        void valueOrThrow(await records.remove(idOf(given), executor.actor), 'conflict'),
    }),
  ];
};

const labelStatus = strictObject({ label_status_id: statusId });
export const labelRoutes = ({ labels }: ApiContext): Route[] =>
  namedRoutes(labels, {
    operations: {
      list: { operationId: 'listLabels', summary: 'List labels' },
      get: { operationId: 'getLabel', summary: 'Read a label' },
      create: { operationId: 'createLabel', summary: 'Create a label' },
      update: {
        operationId: 'updateLabel',
        summary: 'Rename, colour, disable or enable a label',
      },
      delete: { operationId: 'deleteLabel', summary: 'Delete a label that no open chat has' },
    },
    tag: 'Labels',
    schemaName: 'LabelTemplate',
    path: '/v1/label-template',
    idName: 'label_template_id',
    nameField: 'label',
    answer: label,
    present: presentLabel,
    newRecord: strictObject(
      { label: name, color, label_status: Type.Optional(labelStatus) },
      { examples: [{ label: 'Hot lead', color: '#d64545' }] },
    ),
    change: changeObject({ label: name, color, label_status: labelStatus }),
    read: (given) => changeOf(given.label, given.color, given.label_status?.label_status_id),
  });

export const sectorRoutes = ({ sectors }: ApiContext): Route[] =>
  namedRoutes(sectors, {
    operations: {
      list: { operationId: 'listSectors', summary: 'List sectors' },
      get: { operationId: 'getSector', summary: 'Read a sector' },
      create: { operationId: 'createSector', summary: 'Create a sector' },
      update: {
        operationId: 'updateSector',
        summary: 'Rename, colour, disable or enable a sector',
      },
      delete: {
        operationId: 'deleteSector',
        summary: 'Delete a sector that no open chat and no agent has',
      },
    },
    tag: 'Sectors',
    schemaName: 'Sector',
    path: '/v1/sector',
    idName: 'sector_id',
    nameField: 'name',
    answer: sector,
    present: presentSector,
    newRecord: strictObject(
      { name, color, sector_status_id: Type.Optional(nullable(statusId)) },
      { examples: [{ name: 'Sales', color: '#3a7bd5' }] },
    ),
    change: changeObject({ name, color, sector_status_id: statusId }),
    read: (given) => changeOf(given.name, given.color, given.sector_status_id),
  });
