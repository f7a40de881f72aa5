import { getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Resource } from '../definition/resource.ts'
import { type Access, type Caller, requireAccess } from '../request/caller.ts'
import { isPath } from '../services/files.ts'
import { listSmallPaths } from '../services/pictures.ts'
import type { Services, StoredFiles } from '../services/services.ts'
import { callerValues, Parameters, parameterValues, quote, Scope } from '../sql/sql.ts'

/** The channel on which the database announces files that rows no longer name. */
export const FILES_CHANNEL = 'files'

/** A column that names stored files, readable for callers who can view its rows. */
export type FileColumn = Pick<Resource, 'rows'> & {
  table: PgTable
  column: PgColumn
  /** The folder of its files, shared only with columns whose rows the same callers can view. */
  folder: string
  access: Access
  /** The display name of the file. */
  name?: PgColumn
  /** Whether its files are pictures, which have smaller versions; or the column that says so. */
  isPicture?: boolean
  picture?: PgColumn
}

/** The columns of a resource that name stored files. */
export const listFileColumns = ({ table, access, rows, fields }: Resource): FileColumn[] =>
  Object.values(fields).flatMap(({ input }) =>
    input?.file?.column ? [{ table, access, rows, ...input.file, column: input.file.column }] : [],
  )

/** The paths of files that rows name in these columns, each once, in order; includes imported values that are not paths. */
export async function listReferencedPaths(
  read: (text: string) => Promise<{ path: string }[]>,
  columns: readonly FileColumn[],
): Promise<string[]> {
  const selects = columns.map(({ table, column }) => `select ${quote(column.name)} from ${quote(getTableName(table))}`)
  if (selects.length === 0) return []
  const rows = await read(
    `select path from (${selects.join(' union ')}) as named (path) where path <> '' and path !~* '^[a-z][a-z0-9+.-]*:' order by path`,
  )
  return rows.map(({ path }) => path)
}

/** Time that an uploaded file may stay without a row before it counts as left over from a crash. */
const MAX_LOOSE_FILE_AGE = '1 day'
const DAY_MS = 86_400_000
/** Maximum number of files deleted in one batch. */
const BATCH_SIZE = 200

type Store = Pick<Services, 'database' | 'files'>

/** The stored files, by the rows that name them. */
export class FileIndex implements StoredFiles {
  readonly columns: readonly FileColumn[]
  readonly #store: Store

  constructor(columns: readonly FileColumn[], store: Store) {
    this.columns = columns
    this.#store = store
  }

  async find(path: string, caller: Caller | undefined): Promise<{ name: string; isPicture: boolean } | undefined> {
    for (const owner of this.columns) {
      const storedFile = path.startsWith(`${owner.folder}/`) ? await this.#findReferenced(owner, path, caller) : undefined
      if (storedFile) return storedFile
    }
    return undefined
  }

  /** The file of a path, if a row that the caller can view names it in this column. */
  async #findReferenced(
    { table, column, access, rows, name, picture, isPicture = false }: FileColumn,
    path: string,
    caller: Caller | undefined,
  ): Promise<{ name: string; isPicture: boolean } | undefined> {
    requireAccess(access, caller, 'view')
    const parameters = new Parameters()
    const scope = new Scope(table, 't', parameters)
    const rowFilter = rows?.(caller)
    const where = `${scope.expression(`{${column.name}}`)} = ${parameters.number('path')}${rowFilter ? ` and (${scope.expression(rowFilter.sql)})` : ''}`
    const nameSql = name ? scope.expression(`{${name.name}}`) : `''`
    const pictureSql = picture ? scope.expression(`{${picture.name}}`) : String(isPicture)
    const [row] = await this.#store.database.read<{ name: string | null; is_picture: boolean }>({
      text: `select ${nameSql} as name, ${pictureSql} as is_picture from ${quote(getTableName(table))} t ${scope.joins} where ${where} limit 1`,
      values: parameterValues(parameters.names, { ...callerValues(caller), path }, rowFilter),
    })
    return row && { name: row.name || (path.split('/').at(-1) as string), isPicture: row.is_picture }
  }

  async clear(): Promise<void> {
    const { database, files } = this.#store
    await files.clear(Date.now() - DAY_MS)
    for (let cleared = BATCH_SIZE; cleared === BATCH_SIZE; ) {
      cleared = await database.transaction(async (tx) => {
        const loose = await tx.query<{ path: string }>(
          `select path from loose_file where since < now() - interval '${MAX_LOOSE_FILE_AGE}' order by path limit ${BATCH_SIZE} for update skip locked`,
        )
        const paths = loose.map(({ path }) => path)
        if (paths.length === 0) return 0
        // a file that other rows still name, such as a picture, is not deleted
        const queries = this.columns.map(({ table, column }) => {
          const columnName = quote(column.name)
          return `select ${columnName} from ${quote(getTableName(table))} where ${columnName} = any($1::text[])`
        })
        const usedPaths = queries.length
          ? (await tx.query<{ path: string }>(`select path from (${queries.join(' union ')}) as named (path)`, [paths])).map(
              ({ path }) => path,
            )
          : []
        // an imported value may not be a path at all
        const unusedPaths = paths.filter((path) => isPath(path) && !usedPaths.includes(path))
        for (const path of unusedPaths) for (const filePath of [path, ...listSmallPaths(path)]) await files.remove(filePath)
        await tx.query('delete from loose_file where path = any($1::text[])', [paths])
        return paths.length
      })
    }
  }
}
