import type { Caller } from '../../kit/request/caller.ts'
import { readWriteAccess, roles, signedIn } from '../../kit/request/caller.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { parameterErrors } from '../parameter/parameter-errors.ts'

/** Everyone can read selection lists; accounts that can change parts can change them, like parameter templates. */
export const selectionAccess = readWriteAccess(signedIn, roles('part'))

/** Whether the caller may unlock a selection list. */
export const canUnlock = ({ isStaff, isSuperuser }: Caller): boolean => isStaff || isSuperuser

/** Locks a selection list before its entries change, and records the change. @throws Problem 400 if it is locked */
export async function touchList(tx: Tx, list: number): Promise<void> {
  const row = await tx.first<{ locked: boolean }>('select locked from selection_list where pk = $1 for no key update', [list])
  if (row?.locked) throw invalid({ list: [parameterErrors.selection_list_locked] })
  await tx.query('update selection_list set last_updated = now() where pk = $1', [list])
}
