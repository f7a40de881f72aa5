import { getTableName } from 'drizzle-orm'
import { action, type Endpoint } from '../../kit/definition/action.ts'
import { responseSchema } from '../../kit/definition/resource.ts'
import { toNoun, withArticle } from '../../kit/http/nouns.ts'
import { readDetail, toDetailJson } from '../../kit/reading/detail.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { quote } from '../../kit/sql/sql.ts'
import { lockRow } from '../../kit/writing/write.ts'
import { type BuiltInTemplate, builtInTemplates } from '../../printing/defaults/built-in.ts'
import { printErrors } from '../../printing/print-errors.ts'
import { listChanges } from '../user/security-event/list-changes.ts'
import { recordEvent } from '../user/security-event/record-event.ts'
import { findBuiltInPath } from './built-in-template.ts'
import type { TemplateClass } from './print-request.ts'

/** POST `/api/<kind>/{id}/reset/`: restores a template that comes with the service. */
export function resetTemplates({ templates, file }: Omit<TemplateClass, 'kind'>): Endpoint {
  return action({
    method: 'POST',
    path: `${templates.path}{id}/reset/`,
    summary: `Reset ${withArticle(toNoun(templates.name))}`,
    description:
      'Restores the text, name, description and page size of a template that comes with the service. Its filters and whether it is enabled stay.',
    errors: { invalid: 'The template is not one that comes with the service.' },
    versioned: true,
    example: templates.example && { params: { id: templates.example.pk } },
    access: templates.access,
    right: 'change',
    body: {},
    response: responseSchema(templates),
    status: 200,
    async run(request) {
      const { tx, pk } = request
      const row = await lockRow(templates, pk, request)
      const path = findBuiltInPath(row, file)
      const builtIn = builtInTemplates.find((template) => template.path === path)
      if (!builtIn) throw invalidObject(printErrors.template_not_shipped({ template: String(row.name) }))
      const columns = {
        ...listBuiltInColumns(builtIn, file, row),
        updated: new Date().toISOString(),
        updated_by: request.caller.pk,
      }
      const assignments = Object.keys(columns).map((name, index) => `${quote(name)} = $${index + 2}`)
      await tx.query(`update ${quote(getTableName(templates.table))} set ${assignments.join(', ')} where pk = $1`, [
        pk,
        ...Object.values(columns),
      ])
      const changes = listChanges(
        ['name', 'description', file, 'width', 'height', 'landscape', 'filename_pattern'].filter((name) => name in columns),
        (name) => row[name],
        (name) => columns[name as keyof typeof columns],
      )
      if (Object.keys(changes).length > 0)
        await recordEvent(request, {
          kind: 'template_changed',
          actor: request.caller.pk,
          details: { template_kind: templates.path.slice('/api/'.length, -1), pk, name: row.name, ...changes },
        })
      return toDetailJson(await readDetail(templates, pk, new Set(), { ...request, services: request, executor: tx }))
    },
  })
}

/** The columns of a built-in template, as in a new database. */
function listBuiltInColumns(
  { path, name, description, filename, size }: BuiltInTemplate,
  file: 'label' | 'template',
  row: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const page = { ...(file === 'label' ? size : { landscape: false }), filename_pattern: filename }
  const revision = (row.revision as number) + 1
  return { name, description, [file]: path, shipped: null, problems: [], ...page, revision }
}
