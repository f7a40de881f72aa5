import * as f from '../../kit/definition/field.ts'
import { type Resource, type ResourceExample, resource } from '../../kit/definition/resource.ts'
import { getKindUrl, type LabelKind } from '../../printing/kinds.ts'
import { recordBuiltIn } from '../printing/built-in-template.ts'
import { getSubject } from '../printing/subjects.ts'
import { recordTemplateEvents } from '../printing/template-events.ts'
import { checkFilterRights, itemFilter, recordSave, templateFields } from '../printing/template-fields.ts'
import { storeProblems, templateFile } from '../printing/template-file.ts'
import { buildLineLabels, type LabelView, partLabels, stockItemLabels, stockLocationLabels } from './label-views.ts'

type TemplateDescription = { name: string; model: string; exampleHtml: string }

/** Example requests to the first template of a type, which exists from the start. */
function createExample(exampleHtml: string): ResourceExample {
  const label = `data:text/html;name=label.html,${encodeURIComponent(exampleHtml)}`
  return {
    pk: 1,
    create: { name: 'Small label', description: 'To try', label, width: 60, height: 25 },
    change: { width: 62 },
    deletable: 2,
  }
}

/** The templates of one type of label. */
function createLabelTemplate(kind: LabelKind, table: LabelView, { name, model, exampleHtml }: TemplateDescription): Resource {
  const subject = getSubject(kind)
  const { pk, name: ownName, ...fields } = templateFields(kind, table)
  const definition = resource({
    path: getKindUrl(kind),
    name,
    description: `A template for the label of a ${subject.object}: HTML and CSS with Liquid, which inserts the values of the object.`,
    example: createExample(exampleHtml),
    model,
    table,
    access: subject.access,
    fields: {
      pk,
      name: ownName,
      description: f.column(table.description, { search: true, help: 'A short description; empty for none.' }),
      label: templateFile(table.label, {
        folder: `label/template/${subject.folder}`,
        extensions: ['html'],
        help: 'The file of the template, or its URL.',
      }),
      filters: fields.filters,
      width: f.column(table.width, { label: 'Width [mm]', min: 2, help: 'The width of the label, in millimeters.' }),
      height: f.column(table.height, { label: 'Height [mm]', min: 2, help: 'The height of the label, in millimeters.' }),
      filename_pattern: fields.filename_pattern,
      enabled: fields.enabled,
      problems: fields.problems,
      origin: fields.origin,
    },
    filters: { [subject.item]: itemFilter(subject, table) },
    async rules(write) {
      checkFilterRights(subject, write)
      recordSave(write)
      recordBuiltIn('label', write)
      await storeProblems('label', write)
    },
  })
  return recordTemplateEvents(definition)
}

export const partLabelTemplate = createLabelTemplate('label/part', partLabels, {
  name: 'Part label',
  model: 'partlabel',
  exampleHtml: '{{ part.name }}<br>{{ part.IPN }}',
})
export const stockItemLabelTemplate = createLabelTemplate('label/stock', stockItemLabels, {
  name: 'Stock item label',
  model: 'stockitemlabel',
  exampleHtml: '{{ item.quantity }} of {{ part.name }}',
})
export const stockLocationLabelTemplate = createLabelTemplate('label/location', stockLocationLabels, {
  name: 'Stock location label',
  model: 'stocklocationlabel',
  exampleHtml: '{{ location.pathstring }}',
})
export const buildLineLabelTemplate = createLabelTemplate('label/buildline', buildLineLabels, {
  name: 'Build line label',
  model: 'buildlinelabel',
  exampleHtml: '{{ quantity }} of {{ part.name }}',
})
