import { Type } from 'typebox'
import { procedure, view } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { roles, signedIn } from '../../kit/request/caller.ts'
import { invalidQuery, Problem } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'
import { partCategory } from '../part/category/part-category.table.ts'
import { part } from '../part/part.table.ts'

/** No plugin searches the catalogs of suppliers: those that come with the service read labels, and plugins have no function for it. */
const unknownPlugin = (plugin: string): Problem =>
  new Problem('not_found', pluginErrors.plugin_not_installed({ plugin: plugin.slice(0, 255) }))

const SEARCH_PARAMETERS = {
  plugin: 'The key of the plugin.',
  supplier: 'The supplier, as the plugin names it.',
  term: 'The text to search for.',
} as const

const NOT_FOUND = 'No such plugin searches suppliers.'

export const supplierActions = [
  view({
    path: '/api/supplier/list/',
    summary: 'List suppliers whose catalogs plugins search',
    description: 'The suppliers whose catalogs plugins search: none, as plugins of this service do not search catalogs.',
    access: signedIn,
    response: Type.Array(Type.Object({})),
    read: () => [],
  }),
  view({
    path: '/api/supplier/search/',
    summary: "Search a supplier's catalog",
    description: "Searches a supplier's catalog with a plugin of `/api/supplier/list/`.",
    access: signedIn,
    errors: { invalid: 'A parameter is missing.', not_found: NOT_FOUND },
    query: SEARCH_PARAMETERS,
    example: { query: { plugin: 'catalog', supplier: 'bolts', term: 'M3' }, status: 404 },
    response: Type.Array(Type.Object({})),
    read({ query }) {
      const missing = Object.keys(SEARCH_PARAMETERS).filter((name) => !query[name])
      if (missing.length > 0) throw invalidQuery(Object.fromEntries(missing.map((name) => [name, [valueErrors.required]])))
      throw unknownPlugin(query.plugin ?? '')
    },
  }),
  procedure({
    method: 'POST',
    path: '/api/supplier/import/',
    summary: "Import a part from a supplier's catalog",
    description: "Imports a part from a supplier's catalog with a plugin of `/api/supplier/list/`.",
    access: roles('part'),
    errors: { not_found: NOT_FOUND },
    example: { body: { plugin: 'catalog', supplier: 'bolts', part_import_id: 'M3' }, status: 404 },
    body: {
      plugin: input.text({ required: true, max: 255, help: 'The key of the plugin.' }),
      supplier: input.text({ required: true, max: 255, help: 'The supplier, as the plugin names it.' }),
      part_import_id: input.text({ required: true, max: 255, help: 'The key of the part in the catalog.' }),
      category_id: input.reference(() => partCategory, {
        nullable: true,
        options: { model: 'partcategory', api_url: '/api/part/category/' },
        help: 'The category of the new part; empty for an existing part.',
      }),
      part_id: input.reference(() => part, {
        nullable: true,
        options: { model: 'part', api_url: '/api/part/' },
        help: 'The existing part to complete; empty for a new one.',
      }),
    },
    response: Type.Object({}),
    handle({ body }): never {
      throw unknownPlugin(body.plugin)
    },
  }),
]
