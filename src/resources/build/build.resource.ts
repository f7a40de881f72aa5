import { Type } from 'typebox'
import { barcodeHash, link, notes } from '../../kit/definition/common.ts'
import * as f from '../../kit/definition/field.ts'
import type { Input } from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { tagSearch, tagsOnRequest } from '../../kit/definition/tags.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { webPageSql } from '../../web-pages.ts'
import { FORMER_FILES } from '../former-files.ts'
import { statusFilter, statusText } from '../generic/status/custom/custom-states.ts'
import { suggestReference } from '../order/next-reference.ts'
import { referenceField } from '../order/reference-field.ts'
import { duplicateField, insertDuplicate } from '../parameter/duplicate.ts'
import { parameterFilters, parameterOrders, parametersField } from '../parameter/parameter-list.ts'
import { partBrief } from '../part/part.resource.ts'
import { ONLY_PARTS } from '../part/part-flags.ts'
import { createReferenceValidator } from '../plugins/validation.ts'
import { projectCodeDetail, projectCodeLabel, projectCodeRef } from '../project-code/project-code.resource.ts'
import { ownerDetail, ownerRef } from '../user/owner/owner.resource.ts'
import { user } from '../user/user.resource.ts'
import { buildFilters } from './build.filters.ts'
import { buildOrder as table } from './build.table.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { addDefaults, checkBuild, constraints, notifyOfCreation, notifyResponsible, requireCancelled } from './build-rules.ts'
import { ACTIVE_STATES_SQL, BUILD_STATUS, BUILD_STATUS_CHOICES, buildStatus } from './build-status.ts'

const userBrief = f.brief(() => user, ['pk', 'username', 'first_name', 'last_name', 'email'])

const location = { model: 'stocklocation', apiUrl: '/api/stock/location/' }

/** The number of build orders above one. */
const LEVEL = `(with recursive above (pk) as (
  select {parent} where {parent} is not null
  union select parent_build.parent from above {join build_order} parent_build on parent_build.pk = above.pk where parent_build.parent is not null
) select count(*) from above)`

/** See docs/interface/builds.md. */
export const buildOrder = resource({
  path: BUILD_ORDER.path,
  name: 'Build order',
  description:
    'An order to build a quantity of an assembly: pending while it is planned, in production from its first output on, on hold while work on it rests, and finally complete or cancelled.',
  remarks: {
    list: 'Sorted by descending reference, unless `ordering` says otherwise.',
    create: 'The part must be an active assembly that is not virtual. The reference must match the pattern in the settings.',
    update:
      'The part cannot be changed, and a build order cannot be below itself. The status cannot be changed here: issue, hold, complete or cancel the build order instead.',
    delete:
      'Rejects a build order that is not cancelled. Its outputs remain; the stock that it consumed is deleted with it, so that it does not count as in stock again.',
  },
  example: {
    pk: 1,
    create: { reference: 'BO-0009', part: 42, quantity: 2, title: 'Two more for the shop window', target_date: '2031-03-14' },
    replace: { reference: 'BO-0001', part: 42, quantity: 5, title: 'Wrens for the spring fair' },
    change: { notes: 'Solder the **keys** last.' },
    deletable: 5,
  },
  model: BUILD_ORDER.model,
  table,
  formerFile: FORMER_FILES.buildOrders,
  access: BUILD_ORDER.access,
  bulkUpdate: true,
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    url: f.computed(Type.String(), webPageSql('/api/build/'), {
      help: 'The path of its page in the interface of existing clients.',
    }),
    title: f.column(table.title, { search: true, label: 'Description', help: 'A short description; may be empty.' }),
    barcode_hash: { ...barcodeHash(table.barcode_hash), api530: { metadata: { label: 'Barcode Hash' } }, label: 'Barcode hash' },
    batch: f.column(table.batch, {
      label: 'Batch Code',
      help: 'The batch code of the outputs, unless an output has its own; empty for none.',
    }),
    creation_date: f.readonly(table.creation_date, {
      order: true,
      label: 'Creation Date',
      help: 'The creation date, in UTC.',
    }),
    completed: {
      ...f.readonly(table.completed, {
        order: true,
        label: 'Completed items',
        help: 'The completed quantity, in units of the part. Only completing outputs changes it.',
      }),
      options: { type: 'integer', default: 0 },
    },
    completion_date: f.column(table.completion_date, {
      order: true,
      api530: { metadata: { read_only: true } },
      label: 'Completion Date',
      help: 'The day on which it was completed or cancelled; empty before.',
    }),
    destination: f.ref(table.destination, {
      ...location,
      label: 'Destination Location',
      help: 'The destination location of outputs; empty for none. By default, the default location of the part.',
    }),
    external: f.column(table.external, {
      filter: true,
      order: true,
      label: 'External Build',
      help: 'Whether it is built outside of the workshop, such as by a supplier.',
    }),
    parent: f.ref(table.parent, {
      filter: true,
      model: BUILD_ORDER.model,
      apiUrl: BUILD_ORDER.path,
      label: 'Parent Build',
      help: 'The parent build order, for which this one builds a component; empty for none.',
    }),
    level: f.extended(
      f.computed(Type.Integer(), LEVEL, { label: 'Build Level', help: 'The number of build orders above it; 0 at the top.' }),
    ),
    part: partField(),
    part_name: f.extended(f.computed(Type.String(), '{part.name}', { label: 'Part Name', help: 'The name of the part.' })),
    part_detail: f.nested(table.part, () => partBrief(), {
      flag: { name: 'part_detail', detail: true, api530: true },
      help: 'The part.',
    }),
    project_code: projectCodeRef(table.project_code),
    project_code_label: projectCodeLabel(),
    project_code_detail: f.nested(table.project_code, projectCodeDetail, { help: 'The project code.' }),
    overdue: f.computed(Type.Boolean(), `coalesce({status} in ${ACTIVE_STATES_SQL} and {target_date} <= current_date, false)`, {
      filter: true,
      api530: { metadata: { default: false } },
      help: 'Whether it is open on or after its target date.',
    }),
    reference: referenceField(BUILD_ORDER),
    sales_order: f.ref(table.sales_order, {
      filter: true,
      model: 'salesorder',
      apiUrl: '/api/order/so/',
      label: 'Sales Order Reference',
      help: 'The sales order that it builds for; empty for none.',
    }),
    quantity: f.column(table.quantity, {
      required: true,
      min: 1,
      order: true,
      api530: { metadata: { label: 'Build Quantity' } },
      help: 'The quantity to build, in units of the part: at least 1, and whole if the part or a component is trackable.',
    }),
    status: {
      ...f.readonly(table.status, {
        label: 'Build Status',
        filter: statusFilter(
          BUILD_STATUS_CHOICES,
          `Build orders with this status, or in this custom state, by its key in \`${BUILD_ORDER.path}status/\`.`,
        ),
        order: true,
        help: `The status, by its key in \`${BUILD_ORDER.path}status/\`: 10 pending, 20 in production, 25 on hold, 30 cancelled, 40 complete.`,
      }),
      options: { type: 'choice', default: BUILD_STATUS.PENDING.key },
    },
    status_text: statusText(
      buildStatus.name,
      BUILD_STATUS_CHOICES,
      'The status as text: the label of its custom state, if it is in one.',
    ),
    status_custom_key: f.computed(Type.Integer(), 'coalesce({status_custom_key}, {status})', {
      label: 'Custom status key',
      api530: { metadata: { type: 'choice' } },
      help: 'The key of its custom state, otherwise that of its status.',
    }),
    start_date: f.column(table.start_date, {
      order: true,
      label: 'Build start date',
      help: 'The day on which work is to start, not after the target date; empty for none.',
    }),
    target_date: f.column(table.target_date, {
      order: true,
      label: 'Target completion date',
      help: 'The target date of completion; empty for none.',
    }),
    take_from: f.ref(table.take_from, {
      ...location,
      label: 'Source Location',
      help: 'The source location of components, including the locations below it; empty for all.',
    }),
    notes: notes(table.notes),
    tags: tagsOnRequest(table.tags),
    link: link(table.link, { label: 'External Link' }),
    issued_by: {
      ...f.ref(table.issued_by, {
        filter: true,
        model: 'user',
        apiUrl: '/api/user/',
        api530: { metadata: { type: 'field', read_only: true } },
        label: 'Issued by',
        help: 'The account that created it; empty for none.',
      }),
      order: ['{issued_by}'],
    },
    issued_by_detail: f.nested(table.issued_by, userBrief, { help: 'The account.' }),
    responsible: {
      ...ownerRef(table.responsible, {
        label: 'Responsible',
        help: 'The responsible user or group; empty for none, if settings allow that.',
      }),
      order: ['{responsible}'],
    },
    responsible_detail: ownerDetail(table.responsible),
    priority: f.column(table.priority, {
      min: 0,
      order: true,
      label: 'Build Priority',
      help: 'The priority; a higher number is more urgent.',
    }),
    parameters: parametersField('build_order'),
    duplicate: duplicateField('build_order'),
  },
  orderFamily: parameterOrders('build_order'),
  filters: { ...buildFilters, ...parameterFilters('build_order') },
  search: ['{part.name}', '{part.IPN}', '{part.description}', '{project_code.code}', '{priority}::text', tagSearch],
  order: {
    reference: ['{reference_int}', '{reference}'],
    part: ['{part.name}'],
    part__name: ['{part.name}'],
    IPN: ['{part.IPN}'],
    level: [LEVEL],
    project_code: ['{project_code.code}'],
  },
  defaultOrder: ['-reference'],
  suggestValues: async (services) => ({
    reference: await suggestReference(services, BUILD_ORDER),
    issued_by: services.caller.pk,
  }),
  constraints,
  completeBody: addDefaults,
  reviewWrites: createReferenceValidator(BUILD_ORDER.model),
  rules: checkBuild,
  afterCreate: notifyOfCreation,
  afterUpdate: notifyResponsible,
  beforeDelete: requireCancelled,
  insert: insertDuplicate('build_order', () => buildOrder),
})

/** The part to build. It is checked when the order is created: a part that has become inactive since does not prevent changes. */
function partField(): f.Field {
  const field = f.ref(table.part, {
    required: true,
    only: ONLY_PARTS.built,
    extraColumns: ['trackable'],
    filters: { assembly: true, active: true, virtual: false },
    filter: true,
    model: 'part',
    apiUrl: '/api/part/',
    help: 'The part to build: an active assembly that is not virtual. It cannot be changed later.',
  })
  const key = field.input as Input<number>
  return {
    ...field,
    input: {
      ...key,
      read(value, reading, fail) {
        if (!reading.before) return key.read(value, reading, fail)
        const pk = key.read(value, { ...reading, references: [] }, fail)
        if (pk !== reading.before.part) throw new FieldError(buildErrors.build_part_fixed)
        return pk
      },
    },
  }
}

/** A build order inside another object. */
export const buildBrief = f.brief(
  () => buildOrder,
  [
    'pk',
    'url',
    'title',
    'barcode_hash',
    'batch',
    'creation_date',
    'completed',
    'completion_date',
    'destination',
    'parent',
    'part',
    'part_detail',
    'project_code',
    'project_code_detail',
    'reference',
    'sales_order',
    'quantity',
    'status',
    'status_text',
    'target_date',
    'take_from',
    'notes',
    'link',
    'issued_by',
    'issued_by_detail',
    'responsible',
    'responsible_detail',
    'priority',
  ],
  {},
  ['external', 'part_name', 'overdue', 'start_date', 'status_custom_key', 'level', 'project_code_label'],
)
