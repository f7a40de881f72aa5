import type { Tx } from '../../kit/sql/tx.ts'
import { COMPLETE, PROCESSING } from './import-status.ts'

/** Completes those of these sessions whose rows were all accepted. */
export async function finishSessions(tx: Tx, sessions: readonly number[]): Promise<void> {
  await tx.query(
    `update import_session s set status = ${COMPLETE}
     where pk = any($1::integer[]) and status = ${PROCESSING}
       and exists (select from import_row r where r.session = s.pk)
       and not exists (select from import_row r where r.session = s.pk and not r.complete)`,
    [sessions],
  )
}
