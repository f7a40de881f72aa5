import { isUri } from '../../kit/definition/file.ts'
import type { Write } from '../../kit/definition/resource.ts'
import { anyRole, reading, signedIn } from '../../kit/request/caller.ts'

/**
 * Assets and snippets belong to the templates of all kinds (decision 16): any account reads them, and whoever may change anything
 * writes them. Who has any right in `admin` may change there, too.
 */
export const libraryAccess = reading(signedIn, anyRole('change'))

/** An address in place of a file has no name by which templates would find it. */
export function forgetName(name: string, { values, hidden }: Write): void {
  const value = values[name]
  if (typeof value === 'string' && isUri(value)) hidden.filename = null
}
