import { resolve } from 'node:path'
import { Type } from 'typebox'
import { readFreeBytes } from '../../../database/disk.ts'
import { view } from '../../../kit/definition/action.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { Problem } from '../../../kit/request/problem.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import { getBackupFolder, getBackupSchedule } from '../../background-task/backups.ts'
import { serviceErrors } from '../../service-errors.ts'
import { readRuns } from './backup-runs.ts'
import { listBackupSummaries } from './backup-summary.ts'

const time = (description: string) => Type.String({ format: 'date-time', description })
const count = (description: string) => orNull(Type.Integer({ description }))

/** The current run, and the last one. */
export const runsSchema = {
  running: orNull(
    Type.Object(
      {
        requested: time('When it was requested.'),
        is_automatic: Type.Boolean({ description: 'Whether the schedule requested it.' }),
        phase: Type.String({ enum: ['waiting', 'tables', 'files'], description: 'What is being written.' }),
        done: Type.Integer({ description: 'The number of written tables or files.' }),
        total: Type.Integer({ description: 'The number of all of them; 0 while it waits.' }),
      },
      { description: 'The backup that is being made.' },
    ),
  ),
  last: orNull(
    Type.Object(
      {
        requested: time('When it was requested.'),
        is_automatic: Type.Boolean({ description: 'Whether the schedule requested it.' }),
        finished: time('When it ended.'),
        failure: orNull(Type.String({ description: 'Why it failed.' })),
      },
      { description: 'The last backup that the service made, or failed to make.' },
    ),
  ),
}

const backupSchema = Type.Object({
  name: Type.String({ description: 'The name of its folder, for downloading and deleting it.' }),
  created: time('The time of its snapshot.'),
  is_before_update: Type.Boolean({ description: 'Whether it was made before an update of the database.' }),
  version: orNull(Type.String({ description: 'The version that made it; null if its list of contents cannot be read.' })),
  rows: count('The number of rows.'),
  files: count('The number of stored files.'),
  missing: count('The number of files that rows name and that were missing.'),
  size: count('Its size in bytes, including files that it shares with other backups.'),
})

export const listOwnBackups = view({
  path: '/api/web/backup/',
  summary: 'List backups',
  description:
    'The backups in the folder of the responding node, the newest first, at most 200; the progress of the one that is being made; and the schedule.',
  access: superuser,
  errors: { unavailable: 'The folder of backups cannot be read.' },
  response: Type.Object({
    ...runsSchema,
    folder: Type.String({ description: 'The folder of backups (`BACKUP_DIR`).' }),
    free: orNull(Type.Integer({ description: 'The free space of its disk in bytes; null if the folder does not exist yet.' })),
    kept: Type.Integer({ description: 'The number of scheduled backups that are retained (`BACKUPS_KEPT`).' }),
    next: orNull(time('When the schedule requests the next one; null if it is off, or none was made yet.')),
    key_file: orNull(
      Type.String({
        description: 'The file of the secret key, which no backup contains; null if the key is in a variable (`SECRET_KEY`).',
      }),
    ),
    has_external_database: Type.Boolean({
      description: 'Whether the database is not the embedded one (`DATABASE_URL`): a backup is restored into another, empty one.',
    }),
    backups: Type.Array(backupSchema),
  }),
  async read(services) {
    const folder = getBackupFolder(services.config)
    const [runs, backups, [schedule], free] = await Promise.all([
      readRuns(queryThrough(services)),
      listBackupSummaries(folder).catch((error: NodeJS.ErrnoException) => {
        throw new Problem('unavailable', serviceErrors.backup_folder_unreadable({ reason: error.code ?? error.message }))
      }),
      getBackupSchedule(services),
      readFreeBytes(folder).catch(() => null),
    ])
    const next = schedule?.next === undefined ? null : new Date(schedule.next).toISOString()
    const { backupsKept: kept, secretKey, dataDir, databaseUrl } = services.config
    const key_file = secretKey === undefined ? resolve(dataDir, 'secret.key') : null
    return {
      ...runs,
      folder: resolve(folder),
      free,
      kept,
      next,
      key_file,
      has_external_database: databaseUrl !== undefined,
      backups,
    }
  },
})
