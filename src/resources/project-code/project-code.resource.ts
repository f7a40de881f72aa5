import type { PgColumn } from 'drizzle-orm/pg-core'
import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { readWriteAccess, signedIn, staff } from '../../kit/request/caller.ts'
import { serviceErrors } from '../service-errors.ts'
import { ownerDetail, ownerRef } from '../user/owner/owner.resource.ts'
import { projectCode as table } from './project-code.table.ts'

export const projectCode = resource({
  path: '/api/project-code/',
  name: 'Project code',
  description: 'A project code for orders. Orders can be filtered and sorted by it.',
  remarks: { delete: 'Orders with it remain, without a project code.' },
  example: {
    pk: 1,
    create: { code: 'FAIR', description: 'The stand at the spring fair', responsible: 3 },
    replace: { code: 'WREN', description: 'Wren, the pocket synthesizer: third batch', responsible: 1 },
    change: { responsible: 4 },
    deletable: 3,
  },
  model: 'projectcode',
  table,
  access: readWriteAccess(signedIn, staff),
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    code: f.column(table.code, {
      required: true,
      search: true,
      order: true,
      label: 'Project Code',
      help: 'A short unique code of the project, such as a number or an abbreviation.',
    }),
    description: f.column(table.description, { search: true, help: 'A description of the project; may be empty.' }),
    active: f.column(table.active, {
      filter: true,
      order: true,
      help: 'Whether the project code is in use. Lists can be filtered by it; it restricts nothing.',
    }),
    responsible: ownerRef(table.responsible),
    responsible_detail: ownerDetail(table.responsible),
  },
  constraints: { project_code_code_key: { code: [serviceErrors.project_code_taken] } },
})

/** Project code of an order. */
export const projectCodeRef = (column: PgColumn) =>
  f.ref(column, {
    filter: true,
    model: 'projectcode',
    apiUrl: '/api/project-code/',
    label: 'Project Code',
    help: 'The project code; empty for none.',
  })

/** The project code of an object as text. */
export const projectCodeLabel = (column = 'project_code'): f.Field =>
  f.extended(
    f.computed(Type.Union([Type.String(), Type.Null()]), `{${column}.code}`, {
      type: 'string',
      label: 'Project Code Label',
      help: 'The project code as text.',
    }),
  )

/** A project code inside another object. */
export const projectCodeDetail = f.brief(
  () => projectCode,
  ['pk', 'code', 'description', 'responsible', 'responsible_detail'],
  {},
  ['active'],
)
