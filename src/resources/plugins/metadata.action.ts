import { Type } from 'typebox'
import { action, Json } from '../../kit/definition/action.ts'
import type { Query } from '../../kit/definition/filter.ts'
import { readKey } from '../../kit/definition/filter.ts'
import * as input from '../../kit/definition/input.ts'
import { type Resource, resource } from '../../kit/definition/resource.ts'
import { notFound } from '../../kit/request/problem.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { readMetadata, toWriteRequest, writeMetadata } from '../../kit/writing/write.ts'
import { pluginConfig } from './plugin-config.resource.ts'
import { pluginRegistry } from './plugin-registry.table.ts'

/** The plugins as a whole; only their metadata have a URL. */
const registry = resource({
  path: '/api/plugins/',
  name: 'Plugins as a whole',
  model: 'pluginregistry',
  table: pluginRegistry,
  access: pluginConfig.access,
  fields: {},
})

const commonDefinition = {
  path: '/api/plugins/metadata/',
  access: pluginConfig.access,
  query: {
    plugin: 'The key of a plugin; without it and `pk`, the metadata apply to all plugins together.',
    pk: 'The primary key of a plugin.',
  },
  errors: { not_found: 'The plugin does not exist.' },
  response: Type.Object({ metadata: Type.Any({ description: 'The metadata of clients: any JSON.' }) }),
}

/** Returns the owner of the metadata. @throws Problem 404 for an unknown plugin */
async function findMetadataOwner(tx: Tx, { plugin, pk }: Query): Promise<[Resource, number]> {
  if (pk !== undefined) return [pluginConfig, readKey(pk) ?? 0]
  if (plugin === undefined) return [registry, 1]
  const row = await tx.first<{ pk: number }>('select pk from plugin_config where key = $1', [plugin])
  if (!row) throw notFound()
  return [pluginConfig, row.pk]
}

const metadata = input.json({
  required: true,
  nullable: true,
  help: 'Metadata of other programs, such as names with values.',
})

const write = (method: 'PUT' | 'PATCH') =>
  action({
    ...commonDefinition,
    method,
    summary: `${method === 'PUT' ? 'Replace' : 'Change'} the metadata of plugins`,
    description: `${method === 'PUT' ? 'Replaces' : 'Changes'} the metadata of a plugin, or of all plugins together. The service does not use them.`,
    example: { body: { metadata: { checked: '2026-02-01' } } },
    versioned: true,
    readsBody: true,
    body: { metadata },
    async run(request) {
      const [owner, pk] = await findMetadataOwner(request.tx, request.query)
      return new Json(await writeMetadata(owner, pk, toWriteRequest(request), metadata, method === 'PATCH'))
    },
  })

export const metadataActions = [
  action({
    ...commonDefinition,
    method: 'GET',
    summary: 'Get the metadata of plugins',
    description: 'The metadata of a plugin, or of all plugins together.',
    example: {},
    async run({ tx, query }) {
      const [owner, pk] = await findMetadataOwner(tx, query)
      return new Json(await readMetadata(owner, pk, queryWithin(tx)))
    },
  }),
  write('PUT'),
  write('PATCH'),
]
