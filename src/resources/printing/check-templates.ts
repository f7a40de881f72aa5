import { getTableName } from 'drizzle-orm'
import { isUri } from '../../kit/definition/file.ts'
import type { Services } from '../../kit/services/services.ts'
import { getStoredTable, quote } from '../../kit/sql/sql.ts'
import { getBuiltInSource } from '../../printing/defaults/built-in.ts'
import { readSource, SourceError } from '../../printing/source.ts'
import { label } from '../label/index.ts'
import { report } from '../report/index.ts'
import { findProblems } from './template-file.ts'

/**
 * Checks the files of all templates and snippets again: this version of the service may support more than the last one, and imported files
 * are unchecked. Files on other hosts and missing files are skipped.
 * @param signal aborts the check between two files
 */
export async function checkTemplates(
  services: Pick<Services, 'database' | 'files' | 'config' | 'log' | 'download'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const { table, fields } of [...label.resources, ...report.resources]) {
    const column = Object.values(fields).find(({ input }) => input?.file)?.column
    if (signal?.aborted) return
    // the templates of one kind are rows of the table of all kinds
    if (getStoredTable(table) !== table || !column || !('problems' in fields)) continue
    const [tableName, file] = [quote(getTableName(table)), quote(column.name)]
    const rows = await services.database.read<{ pk: number; file: string }>({
      text: `select pk, ${file} as file from ${tableName}`,
      values: [],
    })
    for (const row of rows) {
      if (signal?.aborted) return
      if (isUri(row.file) || getBuiltInSource(row.file) !== undefined) continue
      const problems = await readProblems(services, row.file)
      const text = `update ${tableName} set problems = $1 where pk = $2 and ${file} = $3 and problems <> $1`
      if (problems) await services.database.read({ text, values: [problems, row.pk, row.file] })
    }
  }
}

async function readProblems(
  services: Pick<Services, 'database' | 'files' | 'config' | 'log' | 'download'>,
  file: string,
): Promise<string[] | undefined> {
  try {
    return await findProblems(await readSource(services, file), services)
  } catch (error) {
    if (error instanceof SourceError) return undefined
    throw error
  }
}
