import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import { parameter } from './parameter.table.ts'
import { parameterBrief } from './parameter-fields.ts'
import { createParameterFilter, orderByParameter } from './parameter-filter.ts'
import type { ParameterOwner } from './parameter-models.ts'

/** The field `parameters` of objects that have parameters, shown only on request. */
export const parametersField = (owner: ParameterOwner): f.Field =>
  f.rows(parameter[owner] as PgColumn, () => parameterBrief(), { flag: { name: 'parameters' }, help: 'Its parameters.' })

/** The filters and orders of a list by parameters, such as `parameter_7_gt=100`. */
export const parameterFilters = (owner: ParameterOwner) => ({ parameter: createParameterFilter(owner) })
export const parameterOrders = (owner: ParameterOwner) => orderByParameter(owner, '{pk} asc')
