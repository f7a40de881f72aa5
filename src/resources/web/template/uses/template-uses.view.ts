import { getTableName } from 'drizzle-orm'
import { Type } from 'typebox'
import { type Request, view } from '../../../../kit/definition/action.ts'
import { isUri } from '../../../../kit/definition/file.ts'
import type { Shape } from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { quote } from '../../../../kit/sql/sql.ts'
import { escapeExpression } from '../../../../kit/values/strftime.ts'
import { readSource, SourceError } from '../../../../printing/source.ts'
import { getSubject } from '../../../printing/subjects.ts'
import { reportSnippet } from '../../../report/snippet/report-snippet.resource.ts'
import { getTemplateClass, TEMPLATE_KINDS } from '../template-kinds.ts'

/** A template or a snippet with its text. */
type Source = { kind: string; pk: number; name: string; text: string }

/** The templates and snippets that use each asset and each snippet: those that name its file. */
export const listTemplateUses = view({
  path: '/api/web/template/uses/',
  summary: 'List the uses of assets and snippets',
  description:
    'The assets and snippets that templates and snippets name, each with those that name it, of the kinds that the account can view. Texts on other hosts are not searched, and a name that a template computes is not found.',
  access: signedIn,
  response: Type.Array(
    Type.Object({
      library: Type.Union([Type.Literal('asset'), Type.Literal('snippet')]),
      pk: Type.Integer({ description: 'The key of the asset or snippet.' }),
      kind: Type.String({ description: 'What uses it: a kind of template, or `report/snippet`.' }),
      template: Type.Integer({ description: 'The key of the template or snippet that uses it.' }),
      name: Type.String({ description: 'The name of that template or snippet.' }),
    }),
  ),
  async read(request) {
    const { database } = request
    const files = await database.read<{ library: 'asset' | 'snippet'; pk: number; filename: string }>({
      text: `select 'asset' as library, pk, filename from report_asset where filename is not null
        union all select 'snippet', pk, filename from report_snippet where filename is not null order by 1, 2`,
      values: [],
    })
    if (files.length === 0) return []
    const sources = await readSources(request)
    return files.flatMap(({ library, pk, filename }) => {
      // a snippet is named as snippets/NAME
      const pattern = new RegExp(`${library === 'snippet' ? 'snippets/' : `["']`}${escapeExpression(filename)}["']`)
      return sources
        .filter((source) => pattern.test(source.text))
        .map(({ kind, pk: template, name }) => ({ library, pk, kind, template, name }))
    })
  },
})

async function readSources(request: Request<Shape>): Promise<Source[]> {
  const kinds = TEMPLATE_KINDS.filter((kind) => getSubject(kind).access(request.caller, 'view'))
  const tables = [
    ...kinds.map((kind) => {
      const { templates, file } = getTemplateClass(kind)
      return { kind: kind as string, table: getTableName(templates.table), file: file as string, name: 'name' }
    }),
    { kind: 'report/snippet', table: getTableName(reportSnippet.table), file: 'snippet', name: `coalesce(filename, snippet)` },
  ]
  const text = tables
    .map(
      ({ kind, table, file, name }) =>
        `select '${kind}' as kind, pk, ${name} as name, ${quote(file)} as file from ${quote(table)}`,
    )
    .join(' union all ')
  const rows = await request.database.read<Omit<Source, 'text'> & { file: string }>({ text: `${text} order by 1, 2`, values: [] })
  const sources: Source[] = []
  for (const { file, ...row } of rows) {
    if (isUri(file)) continue
    try {
      sources.push({ ...row, text: await readSource(request, file) })
    } catch (error) {
      // a missing file names nothing
      if (!(error instanceof SourceError)) throw error
    }
  }
  return sources
}
