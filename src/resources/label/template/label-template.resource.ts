import * as f from '../../../kit/definition/field.ts'
import { allTemplates } from '../../printing/all-templates.ts'
import { labelTemplate as table } from './label-template.table.ts'

const template = `data:text/html;name=label.html,${encodeURIComponent('{{ part.name }}<br>{{ part.IPN }}')}`

export const labelTemplate = allTemplates(table, {
  area: 'label',
  name: 'Label template',
  description:
    'A template for the labels of one kind of object: HTML and CSS with Liquid, which inserts the values of the object.',
  model: 'labeltemplate',
  example: {
    pk: 1,
    create: { name: 'Small label', description: 'To try', model_type: 'part', template, width: 60, height: 25 },
    change: { width: 62 },
    deletable: 3,
  },
  fields: {
    width: f.column(table.width, { label: 'Width [mm]', min: 2, help: 'The width of the label, in millimeters.' }),
    height: f.column(table.height, { label: 'Height [mm]', min: 2, help: 'The height of the label, in millimeters.' }),
  },
})
