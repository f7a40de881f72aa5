import type { FileColumn } from '../../kit/reading/stored-files.ts'
import { type Caller, signedIn } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { claimUploads, storeUpload } from '../../kit/services/uploads.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { TemplateKind } from '../../printing/kinds.ts'
import { isLabel } from '../../printing/kinds.ts'
import { printedFile } from './printed-file.table.ts'

/** A folder of printed files and their access: the user who printed a file, and staff. */
const printedFolder = (folder: string): FileColumn => ({
  table: printedFile,
  column: printedFile.file,
  name: printedFile.name,
  folder,
  access: signedIn,
  rows: () => ({ sql: '{user} = {@caller} or {@staff}', values: [] }),
})

/** Folders of printed files. */
export const printedFiles: readonly FileColumn[] = [printedFolder('label/output'), printedFolder('report/output')]

/** Maximum size of a printed file, in bytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024

/** Yields bytes that are still being produced, as the content of a file. */
async function* yieldContent(bytes: Uint8Array | Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await bytes
}

/**
 * Stores a printed file for the time that PRINTED_FILE_DAYS sets.
 * @param printed.bytes may still be pending: its upload is prepared at the same time
 * @param storeRelated stores related rows in the same transaction
 * @returns path of the file, below the media folder
 */
export async function storePrintedFile(
  services: Services,
  caller: Caller,
  { kind, name, bytes }: { kind: TemplateKind; name: string; bytes: Uint8Array | Promise<Uint8Array> },
  storeRelated: (tx: Tx, path: string) => Promise<unknown> = async () => {},
): Promise<string> {
  const folder = isLabel(kind) ? 'label/output' : 'report/output'
  // it may fail before anything awaits it
  if (bytes instanceof Promise) bytes.catch(() => {})
  const upload = await storeUpload(services, { folder, name, limit: MAX_FILE_BYTES }, yieldContent(bytes))
  await services.database.transaction(async (tx) => {
    await tx.query('insert into printed_file (file, name, "user") values ($1, $2, $3)', [upload.path, name, caller.pk])
    await claimUploads(tx, [upload])
    await storeRelated(tx, upload.path)
  })
  return upload.path
}
