import type { PgColumn } from 'drizzle-orm/pg-core'
import * as f from '../../kit/definition/field.ts'
import { isUri } from '../../kit/definition/file.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { anyRole, readWriteAccess, signedIn } from '../../kit/request/caller.ts'
import { printErrors } from '../../printing/print-errors.ts'

/**
 * Access to assets and snippets, which templates of all types share: any account can read them, and accounts with the permission to change
 * anything may write them, including change permissions in `admin` (docs/decisions.md#access-to-templates).
 */
export const libraryAccess = readWriteAccess(signedIn, anyRole('change'))

/** The name by which templates find an asset or a snippet. @param column null for a file on another host */
export const filenameField = (column: PgColumn): f.Field => ({
  ...f.column(column, {
    blank: false,
    check: (name) => (/["'/\\]/.test(name) ? printErrors.library_file_name : undefined),
    help: 'The name by which templates find the file; by default its original one. It is unique, and has no slashes and no quotes.',
  }),
  isKeptOnPut: true,
})

/**
 * Sets the name by which templates find the file of an asset or snippet: the file name of the upload. A URL instead of a file has none. An
 * upload without a name is named like its field; if that name is in use, it gets none.
 */
export async function assignFilename(field: 'asset' | 'snippet', { tx, values, hidden, before }: Write): Promise<void> {
  const value = values[field]
  if (typeof value !== 'string') return
  if (isUri(value)) hidden.filename = null
  const { filename } = hidden
  if (typeof filename !== 'string' || !new RegExp(`^${field}\\.\\w+$`).test(filename)) return
  const existing = await tx.first(`select 1 from report_${field} where filename = $1 and pk <> $2`, [filename, before?.pk ?? 0])
  if (existing) hidden.filename = null
}
