import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { readObjects } from '../../kit/reading/objects.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { isObject } from '../../kit/values/json.ts'
import type { Shown } from '../../plugin-api/index.ts'
import { isLabel } from '../../printing/kinds.ts'
import { printErrors } from '../../printing/print-errors.ts'
import type { PrintRequest } from './print-request.ts'

/** Reads the printed template, as GET returns it. */
export async function readTemplateObject(request: Request<Shape>, { templates, template }: PrintRequest): Promise<Shown> {
  const { caller, database } = request
  const { body } = await readDetail(templates, template.pk, new Set(), { caller, services: request, executor: database })
  return JSON.parse(body)
}

/** Reads the printed objects, with all fields and in requested order; none for a sample. */
export async function readItemObjects(request: Request<Shape>, { subject, items }: PrintRequest): Promise<readonly Shown[]> {
  const { objects } = subject
  if (items === 'sample' || !objects) return []
  const { caller, database } = request
  const reader = { caller, services: request, executor: database }
  const objectRows = await readObjects(objects, { owners: items, belongs: '{pk} = owner.pk', limit: items.length }, reader)
  const byKey = new Map(objectRows.map(({ owner, body }) => [owner, body]))
  return items.flatMap((pk) => byKey.get(pk) ?? []).map((body) => JSON.parse(body))
}

/**
 * Collects the variables that plugins add for each object. If a plugin fails, a report is printed without its variables, and a label is not
 * printed.
 * @throws Problem 400 when a plugin fails for a label
 */
export async function collectPluginVariables(
  request: Request<Shape>,
  printRequest: PrintRequest,
): Promise<((item: number | 'sample') => Record<string, unknown>) | undefined> {
  const plugins = request.plugins.withHook('report.variables')
  if (plugins.length === 0 || printRequest.items === 'sample') return undefined
  const template = await readTemplateObject(request, printRequest)
  const variablesByItem = new Map<unknown, Record<string, unknown>>()
  for (const item of await readItemObjects(request, printRequest)) {
    const variables: Record<string, unknown> = {}
    for (const plugin of plugins) {
      try {
        const result = await plugin.call([template, item], { caller: request.caller })
        if (!isObject(result)) throw new Error('it returned no variables')
        Object.assign(variables, result)
      } catch (error) {
        request.log.warn(
          { plugin: plugin.key, reason: (error as Error).message },
          'a plugin failed to provide the variables of a template',
        )
        if (isLabel(printRequest.kind)) throw invalidObject(printErrors.label_plugin_failed({ plugin: plugin.key }))
      }
    }
    variablesByItem.set(item.pk, variables)
  }
  return (item) => variablesByItem.get(item) ?? {}
}
