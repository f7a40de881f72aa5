import { isUri } from '../../kit/definition/file.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { anyRole, reading, signedIn } from '../../kit/request/caller.ts'

/**
 * Assets and snippets belong to the templates of all kinds (decision 16): any account reads them, and whoever may change anything
 * writes them. Who has any right in `admin` may change there, too.
 */
export const libraryAccess = reading(signedIn, anyRole('change'))

/**
 * Under which name templates find the file of an asset or snippet: the one under which it was sent. An address in place of a file has
 * none. A file that came without one is called like its field: where that is taken already, nobody meant it to be found by it.
 */
export async function settleName(field: 'asset' | 'snippet', { tx, values, hidden, before }: Write): Promise<void> {
  const value = values[field]
  if (typeof value !== 'string') return
  if (isUri(value)) hidden.filename = null
  const { filename } = hidden
  if (typeof filename !== 'string' || !new RegExp(`^${field}\\.\\w+$`).test(filename)) return
  const taken = await tx.first(`select 1 from report_${field} where filename = $1 and pk <> $2`, [filename, before?.pk ?? 0])
  if (taken) hidden.filename = null
}
