import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { notFound, Problem } from '../../../kit/request/problem.ts'
import { deleteDiscarded, discardBackup, getBackupFolder } from '../../background-task/backups.ts'
import { serviceErrors } from '../../service-errors.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { runsSchema } from './backup.view.ts'
import { readRunsWithin, requestBackup } from './backup-runs.ts'
import { findBackup } from './backup-summary.ts'

export const makeOwnBackup = action({
  method: 'POST',
  path: '/api/web/backup/',
  summary: 'Create a backup',
  description:
    'Makes a backup in the background, while the service runs: of all rows as of one moment, and of the stored files. `GET` returns its progress. An aborted backup leaves nothing that looks like one; if its process ends, another process makes it again.',
  errors: { wrong_state: 'A backup is being made.' },
  access: superuser,
  status: 202,
  response: Type.Object(runsSchema),
  async run({ tx, jobs }) {
    if (!(await requestBackup(tx, jobs))) throw new Problem('wrong_state', serviceErrors.backup_running)
    return readRunsWithin(tx)
  },
})

/** The example of an operation on one backup: the demo has none. */
export const backupExample = { params: { name: 'stockroom-2026-01-31T09-30-00.000Z' }, status: 404 }
/** The parameter of an operation on one backup. */
export const backupParams = { name: 'The name of the backup.' }

export const deleteBackup = action({
  method: 'DELETE',
  path: '/api/web/backup/{name}/',
  summary: 'Delete a backup',
  description: 'Deletes a backup from the folder of the responding node, and records a security event.',
  errors: { not_found: 'There is no such backup.' },
  params: backupParams,
  example: backupExample,
  access: superuser,
  status: 204,
  worksOnFullDisk: true,
  async run({ tx, params: { name = '' }, caller, exchange, config, log }) {
    const parentFolder = getBackupFolder(config)
    const backup = await findBackup(parentFolder, name)
    if (!backup) throw notFound()
    await recordEvent({ tx, exchange }, { kind: 'backup_deleted', user: caller.pk, details: { name } })
    await discardBackup(backup)
    tx.after(() =>
      deleteDiscarded(parentFolder).catch((error) => log.warn({ err: error }, 'could not delete a discarded backup')),
    )
  },
})
