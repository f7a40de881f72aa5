import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { parameter as table } from './parameter.table.ts'

/** The template of a parameter, at the URL where clients find templates. */
export const templateField = (apiUrl: string, model: string): f.Field =>
  f.ref(table.template, { required: true, filter: true, order: true, model, apiUrl: apiUrl, help: 'The parameter template.' })

export const dataField: f.Field = f.column(table.data, {
  required: true,
  search: true,
  help: 'The value as entered: 4k7, 4.7 kohm or 4700 for a parameter in ohm, a choice, or any text; yes or no for a checkbox.',
})

export const numberField: f.Field = {
  ...f.column(table.data_numeric, {
    help: 'The value as a number in the units of the parameter. It is derived from the value and cannot be set.',
  }),
  input: {
    ...input.decimal({ nullable: true, digits: 400, places: 200, round: true, form: 'number' }),
    emptyIsNull: false,
  },
}
