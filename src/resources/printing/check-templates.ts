import { getTableName } from 'drizzle-orm'
import { isUri } from '../../kit/definition/file.ts'
import type { Services } from '../../kit/services/services.ts'
import { quote } from '../../kit/sql/sql.ts'
import { shippedTemplate } from '../../printing/defaults/shipped.ts'
import { NoSource, readSource } from '../../printing/source.ts'
import { label } from '../label/index.ts'
import { report } from '../report/index.ts'
import { problemsOf } from './template-file.ts'

/**
 * Checks the files of all templates and snippets again: this version of the service may support more than the last one, and imported files
 * are unchecked. Files that are elsewhere or missing are skipped.
 * @param signal aborts it between two files
 */
export async function checkTemplates(
  services: Pick<Services, 'database' | 'files' | 'config' | 'log' | 'download'>,
  signal?: AbortSignal,
): Promise<void> {
  for (const { table, fields } of [...label.resources, ...report.resources]) {
    const column = Object.values(fields).find(({ input }) => input?.file)?.column
    if (signal?.aborted) return
    if (!column || !('problems' in fields)) continue
    const [of, file] = [quote(getTableName(table)), quote(column.name)]
    const rows = await services.database.read<{ pk: number; file: string }>({
      text: `select pk, ${file} as file from ${of}`,
      values: [],
    })
    for (const row of rows) {
      if (signal?.aborted) return
      if (isUri(row.file) || shippedTemplate(row.file) !== undefined) continue
      const problems = await problemsIn(services, row.file)
      const text = `update ${of} set problems = $1 where pk = $2 and ${file} = $3 and problems <> $1`
      if (problems) await services.database.read({ text, values: [problems, row.pk, row.file] })
    }
  }
}

async function problemsIn(
  services: Pick<Services, 'database' | 'files' | 'config' | 'log' | 'download'>,
  file: string,
): Promise<string[] | undefined> {
  try {
    return await problemsOf(await readSource(services, file), services)
  } catch (error) {
    if (error instanceof NoSource) return undefined
    throw error
  }
}
