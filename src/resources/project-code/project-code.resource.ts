import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { reading, signedIn, staff } from '../../kit/request/caller.ts'
import { ownerDetail, ownerRef } from '../user/owner/owner.resource.ts'
import { projectCode as table } from './project-code.table.ts'

/** Projects that orders are booked on. Anyone with an account sees them; staff keep them. */
export const projectCode = resource({
  path: '/api/project-code/',
  name: 'Project code',
  model: 'projectcode',
  table,
  access: reading(signedIn, staff),
  fields: {
    pk: f.pk(table.pk),
    code: f.column(table.code, { required: true, search: true, order: true, label: 'Project Code' }),
    description: f.column(table.description, { search: true }),
    responsible: ownerRef(table.responsible),
    responsible_detail: ownerDetail(table.responsible),
  },
  constraints: { project_code_code_key: { code: ['project code with this Project Code already exists.'] } },
})

/** A project code inside another object. */
export const projectCodeDetail = f.brief(() => projectCode, ['pk', 'code', 'description', 'responsible', 'responsible_detail'])
