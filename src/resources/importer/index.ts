import type { Area } from '../area.ts'
import { columnMapping } from './column-mapping/column-mapping.resource.ts'
import { listImportModels } from './models/import-models.view.ts'
import { importRow } from './row/import-row.resource.ts'
import { acceptImportFields } from './session/accept-fields.action.ts'
import { acceptImportRows } from './session/accept-rows.action.ts'
import { importSession } from './session/import-session.resource.ts'
import { readImportFile } from './session/read-file.action.ts'
import { summarizeImport } from './session/summary.view.ts'
import { undoImport } from './session/undo.action.ts'

export const importer: Area = {
  resources: [importSession, columnMapping, importRow],
  actions: [listImportModels, readImportFile, acceptImportFields, acceptImportRows, summarizeImport, undoImport],
}
