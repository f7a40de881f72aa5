import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { prepareBinaries, serverEnvironment } from '../../database/binaries.ts'
import { chooseServerUser, getFolderArgument } from '../../database/data-folder.ts'
import { findFreePort } from '../free-port.ts'
import { waitUntil } from '../until.ts'

/** The variables of the image `postgres`. */
export type PostgresVariables = {
  POSTGRES_USER: string
  POSTGRES_DB: string
  POSTGRES_PASSWORD: string
  POSTGRES_INITDB_ARGS: string
}

/**
 * Starts a PostgreSQL as the image `postgres` does for these variables, but on a free port of loopback. It ends with the test file.
 * @returns the port
 */
export async function startPostgres(variables: PostgresVariables): Promise<number> {
  const parent = mkdtempSync(join(tmpdir(), 'stockroom-postgres-'))
  const folder = join(parent, 'data')
  const user = chooseServerUser(folder)
  const binaries = prepareBinaries(user, parent)
  const passwordFile = join(parent, 'password')
  writeFileSync(passwordFile, variables.POSTGRES_PASSWORD)
  mkdirSync(folder, { mode: 0o700 })
  for (const path of user ? [parent, folder, passwordFile] : []) chownSync(path, user?.uid as number, user?.gid as number)
  const options = { ...user, cwd: folder, env: serverEnvironment, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(
    binaries.initdb,
    [
      '-D',
      getFolderArgument(folder),
      `--username=${variables.POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--no-sync',
      ...variables.POSTGRES_INITDB_ARGS.split(' '),
    ],
    options,
  )
  if (status !== 0) throw new Error(`initdb: ${stderr}`)

  const port = await findFreePort()
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const server = spawn(binaries.postgres, ['-D', getFolderArgument(folder), ...settings.flatMap((setting) => ['-c', setting])], {
    ...options,
    stdio: 'ignore',
  })
  after(async () => {
    const exit = once(server, 'exit')
    server.kill('SIGINT')
    await exit
    rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
  })
  const { POSTGRES_USER: name, POSTGRES_PASSWORD: password, POSTGRES_DB: database } = variables
  const create = async () => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: name, password, database: 'postgres' })
    try {
      await client.connect()
      await client.query(`create database ${pg.escapeIdentifier(database)}`)
      return true
    } catch (error) {
      if (!/ECONNREFUSED|starting up/.test((error as Error).message)) throw error
      return false
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await waitUntil(create, 'PostgreSQL does not start')
  return port
}
