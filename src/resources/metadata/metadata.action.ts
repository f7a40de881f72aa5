import { getTableName } from 'drizzle-orm'
import { Type } from 'typebox'
import { action, Json, type Request, view } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import type { Resource } from '../../kit/definition/resource.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { type Right, requireAccess, signedIn } from '../../kit/request/caller.ts'
import { invalid, notFound, Problem } from '../../kit/request/problem.ts'
import { queryThrough, type RunQuery } from '../../kit/sql/run-query.ts'
import { quote } from '../../kit/sql/sql.ts'
import { queryErrors, valueErrors } from '../../kit/values/value-errors.ts'
import { readMetadata, toWriteRequest, writeMetadata } from '../../kit/writing/write.ts'

type MetadataRequest = Request<input.Shape>

const metadata = input.json({
  required: true,
  nullable: true,
  help: 'Metadata of other programs, such as names with values.',
})

/** How a URL names the object: by its key, or by the value of one of its fields. */
const PATHS = [
  { path: '/api/metadata/{model}/{id}/', of: 'of an object', params: {}, example: { model: 'part', id: 1 } },
  {
    path: '/api/metadata/{model}/{lookup_field}/{lookup_value}/',
    of: 'of an object, by one of its fields',
    params: {
      lookup_field: 'A text field of the object, such as `key` or `reference`.',
      lookup_value: 'The value of this field.',
    },
    example: { model: 'pluginconfig', lookup_field: 'key', lookup_value: 'inventreelabel' },
  },
] as const

/**
 * The metadata of every kind of object under one path, in addition to those under the paths of the objects.
 * @param resources returns all resources when called
 */
export const createMetadataActions = (resources: () => readonly Resource[]) =>
  PATHS.flatMap(({ path, of, params, example }) => {
    const contract = {
      path,
      access: signedIn,
      params: { model: 'The object type, such as `part` or `stockitem`.', ...params },
      errors: {
        invalid: 'Objects of this type have no metadata, or several objects have this value.',
        not_found: 'The object does not exist.',
        permission_denied: "The caller does not have the permission in the object's role.",
      },
      response: Type.Object({ metadata: Type.Any({ description: 'The metadata of clients: any JSON.' }) }),
    }
    const write = (method: 'PUT' | 'PATCH') =>
      action({
        ...contract,
        method,
        summary: `${method === 'PUT' ? 'Replace' : 'Change'}: metadata ${of}`,
        description: `${method === 'PUT' ? 'Replaces' : 'Changes'} the metadata ${of}. The service does not use them. Requires the permission to change the object.`,
        example: { params: example, body: { metadata: { checked: '2026-02-01' } } },
        versioned: true,
        readsBody: true,
        body: { metadata },
        async run(request) {
          const owner = findOwner(resources(), request, 'change')
          const pk = await findKey(owner, request)
          return new Json(await writeMetadata(owner, pk, toWriteRequest(request), metadata, method === 'PATCH'))
        },
      })
    return [
      view({
        ...contract,
        summary: `Metadata ${of}`,
        description: `Returns the metadata ${of}. Requires the permission to view the object.`,
        example: { params: example },
        async read(request) {
          const owner = findOwner(resources(), request, 'view')
          const pk = await findKey(owner, request)
          await requireVisible(owner, pk, request)
          return new Json(await readMetadata(owner, pk, queryThrough(request)))
        },
      }),
      write('PUT'),
      write('PATCH'),
    ]
  })

/** The type of object that a URL names. @throws Problem 400 for one without metadata, 403 */
function findOwner(resources: readonly Resource[], { params, caller }: MetadataRequest, right: Right): Resource {
  const owner = resources.find(
    ({ model, table, without }) => model === params.model && 'metadata' in table && !without?.includes('detail'),
  )
  if (!owner) throw new Problem('invalid', [valueErrors.invalid_choice({ value: String(params.model).slice(0, 100) })])
  requireAccess(owner.access, caller, right)
  return owner
}

/** The key of the object that a URL names. @throws Problem 400 for a field that it does not have, 404 */
async function findKey(owner: Resource, request: MetadataRequest): Promise<number> {
  const { params, pk } = request
  const { lookup_field: name, lookup_value: value } = params
  if (name === undefined) return pk
  const column = owner.fields[name]?.column
  if (column?.dataType !== 'string') throw invalid({ lookup_field: [queryErrors.unavailable_choice] })
  const query: RunQuery = queryThrough(request)
  const rows = await query<{ pk: number }>(
    `select pk from ${quote(getTableName(owner.table))} where ${quote(column.name)} = $1 order by pk limit 2`,
    [value],
  )
  const visible: number[] = []
  for (const row of rows) if (await isVisible(owner, row.pk, request)) visible.push(row.pk)
  if (visible.length > 1) throw invalid({ lookup_value: [queryErrors.several_objects] })
  if (visible[0] === undefined) throw notFound()
  return visible[0]
}

/** Throws 404 for an object that the caller may not know of. */
const requireVisible = async (owner: Resource, pk: number, request: MetadataRequest): Promise<unknown> =>
  owner.rows && readDetail(owner, pk, new Set(), { caller: request.caller, services: request, executor: request.database })

async function isVisible(owner: Resource, pk: number, request: MetadataRequest): Promise<boolean> {
  try {
    await requireVisible(owner, pk, request)
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return false
    throw error
  }
}
