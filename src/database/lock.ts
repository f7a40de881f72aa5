import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../operator-error.ts'

/**
 * Makes this process the only one that uses a data folder.
 *
 * The lock is an operating system lock on the file `lock`, so it ends with the process in any case, and neither a leftover file nor a
 * reused process number can block a start. Node has no API for it; SQLite, which comes with Node, takes such a lock when a transaction
 * begins. It stores nothing here.
 * @returns a function that releases the folder
 * @throws OperatorError when another process holds the folder
 */
export function lockFolder(folder: string): () => void {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(folder, 'lock'))
    // with its journal in memory it writes nothing, and can take the lock on a full disk
    file.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    file?.close()
    const sqliteBusy = 5
    if ((error as { errcode?: number }).errcode === sqliteBusy) {
      throw new OperatorError(`the data folder ${folder} is in use by another Stockroom`)
    }
    throw new OperatorError(`the data folder ${folder} cannot be locked: ${(error as Error).message}`)
  }
  const lockFile = file
  return () => lockFile.close()
}
