import * as f from '../../../kit/definition/field.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { printErrors } from '../../../printing/print-errors.ts'
import { recordTemplateEvents } from '../../printing/template-events.ts'
import { problemsField, storeProblems, templateFile } from '../../printing/template-file.ts'
import { assignFilename, filenameField, libraryAccess } from '../library.ts'
import { reportSnippet as table } from './report-snippet.table.ts'

const definition = resource({
  path: '/api/report/snippet/',
  name: 'Report snippet',
  description: 'A fragment that label and report templates include by its original file name.',
  example: {
    pk: 1,
    create: { snippet: 'data:text/html;name=thanks.html,%3Cp%3EThank%20you%3C%2Fp%3E', description: 'Thanks' },
    replace: { snippet: 'data:text/html;name=regards.html,%3Cp%3EKind%20regards%3C%2Fp%3E', description: 'Regards' },
    change: { description: 'Closing of letters' },
    deletable: 2,
  },
  model: 'reportsnippet',
  table,
  access: libraryAccess,
  fields: {
    pk: f.pk(table.pk),
    snippet: templateFile(table.snippet, {
      folder: 'report/snippets',
      extensions: ['html', 'htm'],
      name: table.filename,
      help: 'The file of the snippet, or its URL. File names of snippets are unique.',
    }),
    filename: filenameField(table.filename),
    description: f.column(table.description, { required: true, search: true, order: true, help: 'A description.' }),
    problems: problemsField(table.problems),
  },
  search: ['{snippet}'],
  order: { pk: ['{pk}'] },
  constraints: { report_snippet_filename_key: { snippet: [printErrors.snippet_name_taken] } },
  async rules(write) {
    await assignFilename('snippet', write)
    await storeProblems('snippet', write)
  },
})

export const reportSnippet = recordTemplateEvents(definition)
