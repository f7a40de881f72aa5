import { isUri } from '../../kit/definition/file.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { anyRole, readWriteAccess, signedIn } from '../../kit/request/caller.ts'

/**
 * Access to assets and snippets, which templates of all types share: any account may read them, and accounts with the right to change
 * anything may write them, including change rights in `admin` (docs/decisions.md#access-to-templates).
 */
export const libraryAccess = readWriteAccess(signedIn, anyRole('change'))

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
