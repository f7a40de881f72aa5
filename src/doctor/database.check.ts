import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '../config.ts'
import { inspectBinaries } from '../database/binaries.ts'
import { checkDatabase, formatReason } from '../database/connect.ts'
import { listMissingMigrations, readAppliedMigrations } from '../database/migrate.ts'
import { requireSessions } from '../database/require-sessions.ts'
import { OperatorError } from '../operator-error.ts'
import { type Check, error, type Finding, ok, skipped, warning } from './check.ts'

/** Connections of the service outside of its pool: it listens for changes, and migrates. */
const OTHER_CONNECTIONS = 3
/** Number of free connections below which a running service may soon not get another. */
const FEW_CONNECTIONS = 5

/** Advice for errors of a connection, by the codes of PostgreSQL and of the operating system. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user or the password in DATABASE_URL.',
  '28000': 'Allow this user and this address in pg_hba.conf, or correct the user in DATABASE_URL.',
  '3D000': 'Create this database, with the encoding UTF8, or correct its name in DATABASE_URL.',
  '53300': 'Raise max_connections of PostgreSQL, or end other programs that use it.',
  '57P03': 'PostgreSQL is starting or stopping: try again in a minute.',
  ECONNREFUSED: 'Start PostgreSQL, or correct the host and the port in DATABASE_URL.',
  ENOTFOUND: 'Correct the host in DATABASE_URL, or the name resolution of this machine.',
  ENOENT: 'Start PostgreSQL, or correct the folder of its socket in DATABASE_URL.',
  EACCES: 'Run this as the user of the service, who may open the socket of PostgreSQL.',
}

export const databaseCheck: Check = {
  name: 'database',
  title: 'Database',
  async run({ config, database }) {
    if (database.state === 'stopped') return inspectEmbedded(config)
    if (database.state === 'failed') {
      const advice = ADVICE[database.error.code ?? ''] ?? 'Check DATABASE_URL, and whether a firewall is in between.'
      return [error(`It cannot be reached: ${formatReason(database.error)}`, advice)]
    }
    const { client, url } = database
    const encoding = await checkDatabase(client).catch((problem: Error) => problem)
    if (encoding instanceof Error)
      return [error(capitalize(encoding.message), 'Update PostgreSQL, or use another one by DATABASE_URL.')]
    const { rows } = await client.query("select current_setting('server_version') as version, current_database() as name")
    return [
      ok(`PostgreSQL ${rows[0].version} responds, database ${rows[0].name}`),
      encoding === undefined
        ? ok('Its encoding is UTF8')
        : warning(capitalize(encoding), 'Create a database with the encoding UTF8, and restore a backup into it.'),
      await checkMigrations(client),
      await checkPermissions(client),
      await checkConnections(client, config),
      ...(config.databaseUrl === undefined ? [] : [await checkSessions(url)]),
    ]
  },
}

/** Checks the embedded PostgreSQL of a service that is not running. Starting it would write to its folder. */
function inspectEmbedded({ dataDir }: Config): Finding[] {
  const folder = join(dataDir, 'postgres')
  let major: string | undefined
  try {
    major = inspectBinaries()?.major
  } catch (problem) {
    return [
      error(capitalize((problem as Error).message), 'Install Stockroom again, or set DATABASE_URL to a PostgreSQL of your own.'),
    ]
  }
  const program =
    major === undefined
      ? ok('The included PostgreSQL is installed; the first start completes it')
      : ok(`The included PostgreSQL ${major} runs on this machine`)
  if (!existsSync(folder)) return [program, ok(`There is no database yet; the first start creates it in ${folder}`)]
  const file = join(folder, 'PG_VERSION')
  try {
    const version = readFileSync(file, 'utf8').trim()
    if (major !== undefined && version !== major)
      return [
        program,
        error(
          `${folder} was created by PostgreSQL ${version}`,
          'Make a backup with the Stockroom that created it, and restore that.',
        ),
      ]
  } catch (problem) {
    return [program, error(`${folder} cannot be read: ${(problem as Error).message}`, 'Run this as the user of the service.')]
  }
  const owner = statSync(folder).uid
  const user = process.getuid?.() ?? owner
  if (user !== 0 && user !== owner)
    return [
      program,
      error(`${folder} belongs to user ${owner}, and this is user ${user}`, 'Run this as the user of the service.'),
    ]
  return [program, skipped('The service is not running, so what the database contains was not checked')]
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const applied = await readAppliedMigrations(client)
  if (applied.length === 0) return ok('It is empty; the first start creates the tables')
  try {
    const missing = listMissingMigrations(applied)
    return missing.length === 0
      ? ok(`It is up to date (${applied.at(-1)?.tag})`)
      : warning(
          `It is of an older version: ${missing.length} migrations are missing`,
          'The next start of the service makes a backup and updates the database.',
        )
  } catch (problem) {
    if (!(problem instanceof OperatorError)) throw problem
    return error(capitalize(problem.message), 'Install the version of Stockroom that last used it, or restore a backup.')
  }
}

async function checkPermissions(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query(`
    select current_user as name, pg_is_in_recovery() as standby, current_schema() as schema,
           has_database_privilege(current_database(), 'create, temporary') as may_use,
           coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
           (select count(*)::integer from pg_class
            where relnamespace = any (array[to_regnamespace(current_schema()), to_regnamespace('pgboss')])
              and relkind in ('r', 'p', 'S', 'v') and not pg_has_role(relowner, 'usage')) as foreign_tables`)
  const { name, standby, schema, may_use: canUse, may_create: canCreate, foreign_tables: foreignTables } = rows[0]
  if (standby) return error('It is a standby, which accepts no changes', 'Set DATABASE_URL to the primary server.')
  if (!canUse || !canCreate)
    return error(
      `${name} may not create tables in it`,
      `As its owner: grant all on database DATABASE to ${name}; grant all on schema ${schema ?? 'public'} to ${name};`,
    )
  if (foreignTables > 0)
    return error(
      `${foreignTables} of its tables belong to another user than ${name}`,
      `As their owner: reassign owned by OWNER to ${name};`,
    )
  return ok(`${name} has the permissions that the service needs`)
}

async function checkConnections(client: pg.Client, { databasePoolSize }: Config): Promise<Finding> {
  const { rows } = await client.query(`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
             - coalesce(current_setting('reserved_connections', true), '0')::integer as limit,
           count(*)::integer - 1 as used, count(*) filter (where application_name = 'stockroom' and datname = current_database())::integer as own
    from pg_stat_activity where backend_type = 'client backend'`)
  const { limit, used, own } = rows[0] as { limit: number; used: number; own: number }
  const free = limit - used
  const message = `${free} of ${limit} connections are free`
  // a running service has its own already
  const needed = own > 0 ? 1 : databasePoolSize + OTHER_CONNECTIONS
  const advice = 'Raise max_connections of PostgreSQL, or lower DATABASE_POOL_SIZE.'
  if (free < needed) return error(`${message}, and the service needs ${needed}`, advice)
  return free < FEW_CONNECTIONS ? warning(message, advice) : ok(message)
}

async function checkSessions(url: string): Promise<Finding> {
  try {
    await requireSessions(url)
    return ok('Each connection has a session of its own')
  } catch (problem) {
    if (!(problem instanceof OperatorError)) throw problem
    const [message = '', advice = ''] = capitalize(problem.message).split(/: (?=set )/)
    return error(message, advice ? `${capitalize(advice)}.` : 'Check the connection to PostgreSQL.')
  }
}

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
