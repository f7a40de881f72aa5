import { Type } from 'typebox'
import { readFreeBytes } from '../../../database/disk.ts'
import { view } from '../../../kit/definition/action.ts'
import { orNull } from '../../../kit/definition/input.ts'
import { staff, superuser } from '../../../kit/request/caller.ts'
import { getMediaFolder } from '../../../kit/services/files.ts'
import { getApiVersion, VERSION } from '../../../version.ts'
import { measureFolder } from './folder-size.ts'

const text = (description: string) => Type.String({ description })
const number = (description: string) => orNull(Type.Integer({ description }))

/** Time at which this process started. */
const STARTED = new Date(Date.now() - process.uptime() * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')

const DATABASE_QUERY = `
  select current_setting('server_version') as version, pg_database_size(current_database())::float8 as size,
    (select tag from migration order by tag desc limit 1) as migration`

export const readAbout = view({
  path: '/api/web/about/',
  summary: 'Get the versions, the database and the storage of the service',
  description:
    'What an administrator needs to know of the installation. Names of folders and buckets are shown to superusers only. The size of stored files is up to five minutes old.',
  access: staff,
  response: Type.Object({
    version: text('The version of the program.'),
    api_version: Type.Integer({ description: 'The API version that existing clients know.' }),
    node: text('The version of Node.'),
    platform: text('The operating system and the processor.'),
    started: Type.String({ format: 'date-time', description: 'When the responding process started.' }),
    license: text('The license of the program.'),
    database: Type.Object({
      version: text('The version of PostgreSQL.'),
      is_included: Type.Boolean({ description: 'Whether it is the PostgreSQL that comes with the program.' }),
      size: Type.Integer({ description: 'The size of the database in bytes.' }),
      migration: text('The newest change of its tables.'),
    }),
    storage: Type.Object({
      type: Type.String({ enum: ['folder', 'bucket'], description: 'Where files are stored.' }),
      location: orNull(text('The folder or the bucket, for superusers.')),
      files: number('The number of files in the folder; null for a bucket, and if there are very many.'),
      size: number('The size of these files in bytes.'),
      free: number('The free space of the disk in bytes; null for a bucket.'),
    }),
  }),
  async read({ config, database, caller }) {
    const [row] = await database.read<{ version: string; size: number; migration: string }>({ text: DATABASE_QUERY })
    return {
      version: VERSION,
      api_version: getApiVersion(config.wire),
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      started: STARTED,
      license: 'MIT',
      database: { ...row, is_included: config.databaseUrl === undefined },
      storage: await readStorage(config, superuser(caller, 'view')),
    }
  },
})

async function readStorage(
  config: Parameters<typeof getMediaFolder>[0] & { s3Bucket?: string | undefined },
  showsLocation: boolean,
) {
  if (config.s3Bucket !== undefined)
    return { type: 'bucket', location: showsLocation ? config.s3Bucket : null, files: null, size: null, free: null }
  const folder = getMediaFolder(config)
  const [size, free] = await Promise.all([measureFolder(folder), readFreeBytes(config.dataDir).catch(() => null)])
  return {
    type: 'folder',
    location: showsLocation ? folder : null,
    files: size?.files ?? null,
    size: size?.bytes ?? null,
    free,
  }
}
