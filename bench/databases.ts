import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { createPool } from '../src/database/connect.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { migrate } from '../src/database/migrate.ts'
import { createSuperuser } from '../src/resources/user/first-account.ts'

const CACHE_FOLDER = join(import.meta.dirname, '../node_modules/.cache/stockroom-bench')

/** The account of the benchmark. */
export const USER = { username: 'bench', password: 'a password of the benchmark' }

/** Recipe for the databases of a group of measurements. */
export type DatabaseRecipe = {
  /** The name of the group, in lower case. */
  group: string
  /** The files of this folder that `fill` is written in: when one of them or the migrations change, the databases are rebuilt. */
  files: readonly string[]
  /** Fills a new database. */
  fill: (client: pg.Client, size: number) => Promise<void>
}

/** Passes a database of the given size to `work`: a copy that nothing else uses, dropped afterwards. */
export type WithCopy = <T>(size: number, work: (url: string) => Promise<T>) => Promise<T>

/** Caches the databases of a group, each made once, and provides copies of them. */
export async function withCachedDatabases(recipe: DatabaseRecipe, work: (withCopy: WithCopy) => Promise<void>): Promise<void> {
  const server = await startEmbedded(prepareFolder(recipe), pino({ level: 'silent' }))
  const client = new pg.Client({ connectionString: server.url })
  const urlOf = (name: string) => server.url.replace('/stockroom?', `/${name}?`)
  try {
    await client.connect()
    await work(async (size, use) => {
      const [cachedName, copy] = [`cached_${size}`, `run_${size}`]
      const { rows } = await client.query('select 1 from pg_database where datname = $1', [cachedName])
      if (rows.length === 0) await makeDatabase(client, recipe, size, cachedName, urlOf)
      await client.query(`drop database if exists ${copy} with (force)`)
      await client.query(`create database ${copy} template ${cachedName} strategy file_copy`)
      try {
        return await use(urlOf(copy))
      } finally {
        await client.query(`drop database ${copy} with (force)`)
      }
    })
  } finally {
    await client.end()
    await server.stop()
  }
}

/** Returns the folder of a group's databases, and deletes the folders of older recipes. */
function prepareFolder({ group, files }: DatabaseRecipe): string {
  const sources = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const migrations = readFileSync(join(import.meta.dirname, '../migrations/meta/_journal.json'), 'utf8')
  const digest = createHash('sha256')
    .update([...sources, migrations].join(''))
    .digest('hex')
    .slice(0, 12)
  const folderName = `${group}-${digest}`
  mkdirSync(CACHE_FOLDER, { recursive: true })
  for (const name of readdirSync(CACHE_FOLDER))
    if (name.startsWith(`${group}-`) && name !== folderName) rmSync(join(CACHE_FOLDER, name), { recursive: true, force: true })
  return join(CACHE_FOLDER, folderName)
}

/** Makes a database, under a temporary name until it is complete. */
async function makeDatabase(
  server: pg.Client,
  { fill }: DatabaseRecipe,
  size: number,
  cachedName: string,
  urlOf: (name: string) => string,
) {
  const temporaryName = `making_${size}`
  await server.query(`drop database if exists ${temporaryName} with (force)`)
  await server.query(`create database ${temporaryName}`)
  const pool = createPool(urlOf(temporaryName), 2, { statementTimeout: 0 })
  await migrate(pool)
  await createSuperuser(pool, { ...USER, email: '' })
  await pool.end()
  const client = new pg.Client({ connectionString: urlOf(temporaryName) })
  await client.connect()
  try {
    await fill(client, size)
  } finally {
    await client.end()
  }
  await server.query(`alter database ${temporaryName} rename to ${cachedName}`)
}
