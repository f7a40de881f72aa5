import { getTableName } from 'drizzle-orm'
import { Type } from 'typebox'
import { view } from '../../../../kit/definition/action.ts'
import { readKey } from '../../../../kit/definition/filter.ts'
import { requireAccess, signedIn } from '../../../../kit/request/caller.ts'
import { invalidObject, invalidQuery, notFound } from '../../../../kit/request/problem.ts'
import { quote } from '../../../../kit/sql/sql.ts'
import { queryErrors, valueErrors } from '../../../../kit/values/value-errors.ts'
import { readSource, SourceError } from '../../../../printing/source.ts'
import { reportSnippet } from '../../../report/snippet/report-snippet.resource.ts'
import { getTemplateClass, TEMPLATE_KINDS } from '../template-kinds.ts'

/** The text of a template or snippet, from any file store. */
export const readTemplateSource = view({
  path: '/api/web/template/source/',
  summary: 'Get the text of a template',
  description:
    'The text of a template or a snippet, whether its file is stored here, in a bucket, or on another host. Requires permission to view templates of this kind.',
  errors: {
    invalid: 'There is no such kind of template, or its file cannot be read, with the reason.',
    not_found: 'The template does not exist.',
  },
  access: signedIn,
  query: {
    kind: 'The kind of template: its address below `/api/`, such as `label/part`; or `report/snippet`.',
    template: 'The key of the template or snippet.',
  },
  example: { query: { kind: 'label/part', template: '1' } },
  response: Type.Object({ text: Type.String({ description: 'The text.' }) }),
  async read(request) {
    const { query, database, caller } = request
    const kind = [...TEMPLATE_KINDS, 'report/snippet' as const].find((one) => one === query.kind)
    if (!kind) throw invalidQuery({ kind: [queryErrors.unavailable_choice] })
    const pk = readKey(query.template ?? '')
    if (pk === undefined) throw invalidQuery({ template: [valueErrors.integer_expected] })
    const { templates, file } = kind === 'report/snippet' ? { templates: reportSnippet, file: 'snippet' } : getTemplateClass(kind)
    requireAccess(templates.access, caller, 'view')
    const [row] = await database.read<{ file: string }>({
      text: `select ${quote(file)} as file from ${quote(getTableName(templates.table))} where pk = $1`,
      values: [pk],
    })
    if (!row) throw notFound()
    try {
      return { text: await readSource(request, row.file) }
    } catch (error) {
      if (error instanceof SourceError) throw invalidObject(error.reason)
      throw error
    }
  },
})
