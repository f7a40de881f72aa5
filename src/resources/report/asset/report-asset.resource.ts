import * as f from '../../../kit/definition/field.ts'
import { file } from '../../../kit/definition/file.ts'
import { resource } from '../../../kit/definition/resource.ts'
import { printErrors } from '../../../printing/print-errors.ts'
import { recordTemplateEvents } from '../../printing/template-events.ts'
import { assignFilename, filenameField, libraryAccess } from '../library.ts'
import { reportAsset as table } from './report-asset.table.ts'

const definition = resource({
  path: '/api/report/asset/',
  name: 'Report asset',
  description: 'A file for label and report templates, such as a logo. Templates refer to it by its original file name.',
  example: {
    pk: 1,
    create: { asset: 'data:text/plain;name=terms.txt,Payment%20within%2030%20days', description: 'Terms of payment' },
    replace: { asset: 'data:text/plain;name=terms-2.txt,Payment%20within%2014%20days', description: 'Terms of payment' },
    change: { description: 'The logo' },
    deletable: 2,
  },
  model: 'reportasset',
  table,
  access: libraryAccess,
  fields: {
    pk: f.pk(table.pk),
    asset: file(table.asset, {
      required: true,
      folder: 'report/assets',
      name: table.filename,
      accepts: 'uris',
      label: 'Asset',
      help: 'The file, or its URL. File names of assets are unique.',
    }),
    filename: filenameField(table.filename),
    description: f.column(table.description, { required: true, help: 'A description.' }),
  },
  constraints: { report_asset_filename_key: { asset: [printErrors.asset_name_taken] } },
  rules: (write) => assignFilename('asset', write),
})

export const reportAsset = recordTemplateEvents(definition)
