import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../operator-error.ts'

/**
 * Makes this process the only one that works in a data folder.
 *
 * The lock is one of the operating system on the file `lock`, so it ends with the process however that ends, and neither
 * a file left behind nor a process number used again can keep anyone out. Node has no call for it; SQLite, which comes with
 * Node, takes such a lock when a transaction begins. It stores nothing here.
 * @returns what gives the folder free
 * @throws OperatorError when another process holds the folder
 */
export function lockFolder(folder: string): () => void {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(folder, 'lock'))
    // with its journal in memory it writes nothing, and so takes the lock on a full disk too
    file.exec('pragma busy_timeout = 0; pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    file?.close()
    const sqliteBusy = 5
    if ((error as { errcode?: number }).errcode === sqliteBusy) {
      throw new OperatorError(`the data folder ${folder} is in use by another Stockroom`)
    }
    throw new OperatorError(`the data folder ${folder} cannot be locked: ${(error as Error).message}`)
  }
  const held = file
  return () => held.close()
}
