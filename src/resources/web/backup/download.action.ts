import { dirname } from 'node:path'
import { FileStream, procedure, Reply } from '../../../kit/definition/action.ts'
import { formatDisposition } from '../../../kit/http/media.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'
import { packArchive } from '../../../kit/services/archive.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { getBackupFolder } from '../../background-task/backups.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { backupExample, backupParams } from './backup.action.ts'
import { findBackup } from './backup-summary.ts'

const TYPE = 'application/x-tar'
/** Bytes of a file that are read at once. */
const READ_BYTES = 256 * 1024

export const downloadBackup = procedure({
  method: 'GET',
  path: '/api/web/backup/{name}/download/',
  summary: 'Download a backup',
  description:
    'Returns a backup as a tar archive of its folder, from the folder of the responding node, and records a security event. Extracted, it can be restored with `stockroom restore FOLDER`. It contains all data of the service, but not the secret key. No cache stores it.',
  errors: { ...confirmationErrorDocs, not_found: 'There is no such backup.' },
  params: backupParams,
  example: backupExample,
  access: superuser,
  unsafe: true,
  files: [TYPE],
  async handle({ params: { name = '' }, caller, exchange, config, database }) {
    const backup = await findBackup(getBackupFolder(config), name)
    if (!backup) throw notFound()
    const isHead = exchange.method === 'HEAD'
    await database.transaction(async (tx) => {
      await requireConfirmation({ tx, caller })
      if (!isHead) await recordEvent({ tx, exchange }, { kind: 'backup_downloaded', user: caller.pk, details: { name } })
    })
    const headers = { 'content-disposition': formatDisposition('attachment', `${name}.tar`), 'cache-control': 'no-store' }
    if (isHead) return new Reply(200, undefined, { ...headers, 'content-type': TYPE })
    // strict: a file that is missing breaks the download off
    const options = { cwd: dirname(backup.folder), portable: true, strict: true, maxReadSize: READ_BYTES }
    return new FileStream(TYPE, await packArchive(options, [name]), headers)
  },
})
