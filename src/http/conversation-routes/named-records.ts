/** /v1/label-template and /v1/sector */
import { Type } from 'typebox';
import type { Static } from 'typebox';
import {
  namedRecordStatuses,
  type NamedRecord,
  type NamedRecordStatus,
} from '../../domain/messages/named-record.ts';
import type { Inbox } from '../../inbox/inbox.ts';
import { commaList, filterText } from '../requests/query.ts';
import { listRoute } from '../routing/list.ts';
import { route, type Route } from '../routing/route.ts';
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
} from '../routing/schemas.ts';

const color = Type.String({ minLength: 1, maxLength: 20 });
const status = stringEnum(namedRecordStatuses);

/** The platform family writes states as numbers from 1, in this order. */
const statusId = Type.Union([status, Type.Integer({ minimum: 1, maximum: 2 })]);
const statusOf = (given: Static<typeof statusId>): NamedRecordStatus =>
  typeof given === 'number' ? (namedRecordStatuses[given - 1] ?? 'active') : given;
const shownStatusOf = ({ status: stored = 'active' }: NamedRecord) => stored;

export const leanLabel = strictObject({ label_template_id: id, label: text, color: text });
export const presentLeanLabel = ({ _id, name: label, color: its }: NamedRecord) => ({
  label_template_id: _id,
  label,
  color: its,
});

export const leanSector = strictObject({ sector_id: id, name: text, color: text });
export const presentLeanSector = ({ _id, name: its, color: shown }: NamedRecord) => ({
  sector_id: _id,
  name: its,
  color: shown,
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

const labelPath = '/v1/label-template';
const labelParams = strictObject({ label_template_id: id });
const labelStatus = strictObject({ label_status_id: statusId });
const common = { scope: 'inbox' } as const;

export const labelRoutes = (inbox: Inbox): Route[] => [
  ...labelReading(inbox),
  ...labelChanges(inbox),
];

const labelReading = ({ labels }: Inbox): Route[] => [
  listRoute(
    { answer: label, present: presentLabel },
    {
      ...common,
      path: labelPath,
      restriction: 'anything',
      summary: 'List labels',
      sortable: { label: 'nameKey', created_at: 'createdAt' },
      sortBy: 'label',
      filters: { label: Type.Optional(filterText), status: commaList(status) },
      list: ({ query }, page) =>
        labels.list({ ...query, ...(query.label !== undefined && { search: query.label }) }, page),
    },
  ),
  route({
    ...common,
    method: 'GET',
    path: `${labelPath}/:label_template_id`,
    restriction: 'anything',
    summary: 'Read a label',
    params: labelParams,
    answer: label,
    handle: async ({ params }) => presentLabel(await labels.get(params.label_template_id)),
  }),
];

const labelChanges = ({ labels }: Inbox): Route[] => [
  route({
    ...common,
    method: 'POST',
    path: labelPath,
    summary: 'Create a label',
    status: 201,
    body: Type.Object(
      { label: name, color, label_status: Type.Optional(labelStatus) },
      { additionalProperties: false, examples: [{ label: 'Hot lead', color: '#d64545' }] },
    ),
    answer: label,
    handle: async ({ body, executor }) =>
      presentLabel(
        await labels.create(
          {
            name: body.label,
            color: body.color,
            status: statusOf(body.label_status?.label_status_id ?? 'active'),
          },
          executor.actor,
        ),
      ),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: `${labelPath}/:label_template_id`,
    summary: 'Rename, colour, disable or enable a label',
    params: labelParams,
    find: (params) => labels.get(params.label_template_id),
    body: changeObject({ label: name, color, label_status: labelStatus }),
    answer: label,
    handle: async ({ params, body, executor }) =>
      presentLabel(
        await labels.change(
          params.label_template_id,
          {
            ...(body.label !== undefined && { name: body.label }),
            ...(body.color !== undefined && { color: body.color }),
            ...(body.label_status && { status: statusOf(body.label_status.label_status_id) }),
          },
          executor.actor,
        ),
      ),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${labelPath}/:label_template_id`,
    summary: 'Delete a label that no open chat has',
    params: labelParams,
    find: (params) => labels.get(params.label_template_id),
    answer: nothing,
    handle: ({ params, executor }) => labels.remove(params.label_template_id, executor.actor),
  }),
];

const sectorPath = '/v1/sector';
const sectorParams = strictObject({ sector_id: id });

export const sectorRoutes = (inbox: Inbox): Route[] => [
  ...sectorReading(inbox),
  ...sectorChanges(inbox),
];

const sectorReading = ({ sectors }: Inbox): Route[] => [
  listRoute(
    { answer: sector, present: presentSector },
    {
      ...common,
      path: sectorPath,
      restriction: 'anything',
      summary: 'List sectors',
      sortable: { name: 'nameKey', created_at: 'createdAt' },
      sortBy: 'name',
      filters: { name: Type.Optional(filterText), status: commaList(status) },
      list: ({ query }, page) =>
        sectors.list({ ...query, ...(query.name !== undefined && { search: query.name }) }, page),
    },
  ),
  route({
    ...common,
    method: 'GET',
    path: `${sectorPath}/:sector_id`,
    restriction: 'anything',
    summary: 'Read a sector',
    params: sectorParams,
    answer: sector,
    handle: async ({ params }) => presentSector(await sectors.get(params.sector_id)),
  }),
];

const sectorChanges = ({ sectors }: Inbox): Route[] => [
  route({
    ...common,
    method: 'POST',
    path: sectorPath,
    summary: 'Create a sector',
    status: 201,
    body: Type.Object(
      { name, color, sector_status_id: Type.Optional(nullable(statusId)) },
      { additionalProperties: false, examples: [{ name: 'Sales', color: '#3a7bd5' }] },
    ),
    answer: sector,
    handle: async ({ body, executor }) =>
      presentSector(
        await sectors.create(
          {
            name: body.name,
            color: body.color,
            status: statusOf(body.sector_status_id ?? 'active'),
          },
          executor.actor,
        ),
      ),
  }),
  route({
    ...common,
    method: 'PATCH',
    path: `${sectorPath}/:sector_id`,
    summary: 'Rename, colour, disable or enable a sector',
    params: sectorParams,
    find: (params) => sectors.get(params.sector_id),
    body: changeObject({ name, color, sector_status_id: statusId }),
    answer: sector,
    handle: async ({ params, body, executor }) => {
      const { sector_status_id: given, ...change } = body;
      return presentSector(
        await sectors.change(
          params.sector_id,
          { ...change, ...(given !== undefined && { status: statusOf(given) }) },
          executor.actor,
        ),
      );
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: `${sectorPath}/:sector_id`,
    summary: 'Delete a sector that no open chat and no agent has',
    params: sectorParams,
    find: (params) => sectors.get(params.sector_id),
    answer: nothing,
    handle: ({ params, executor }) => sectors.remove(params.sector_id, executor.actor),
  }),
];
