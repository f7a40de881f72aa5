import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { view } from '../../kit/definition/action.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../kit/http/page.ts'
import { type Caller, everyone, superuser } from '../../kit/request/caller.ts'
import { notFound } from '../../kit/request/problem.ts'

/** Flags that existing clients request by name. */
const BUILT_IN_FLAGS = ['EXPERIMENTAL', 'NEXT_GEN']

const flagSchema = Type.Object({
  key: Type.String({ description: 'Its name.' }),
  state: Type.Boolean({ description: 'Whether it is enabled: clients may offer the feature with this name.' }),
  conditions: Type.Optional(
    Type.Array(Type.Object({ condition: Type.String(), value: Type.Boolean() }), {
      description: 'The conditions in `FLAGS`, for superusers.',
    }),
  ),
})

/** All flags: the known ones, and those that FLAGS enables. */
const listFlagNames = ({ flags }: Config): string[] => [...new Set([...BUILT_IN_FLAGS, ...flags])].toSorted()

const createFlagResponse = (key: string, { flags }: Config, caller: Caller | undefined) => {
  const state = flags.includes(key)
  return { key, state, ...(superuser(caller, 'view') && { conditions: [{ condition: 'FLAGS', value: state }] }) }
}

const listFlags = view({
  path: '/api/flags/',
  summary: 'List flags',
  description: 'Features that clients may offer before they are generally available, from the environment variable `FLAGS`.',
  access: everyone,
  query: pageQuery,
  response: envelopeSchema(flagSchema),
  api530: { metadata: { state: { type: 'string' }, conditions: { type: 'list' } } },
  read: (request) =>
    buildPage(
      listFlagNames(request.config).map((key) => JSON.stringify(createFlagResponse(key, request.config, request.caller))),
      request,
    ),
})

const readFlag = view({
  path: '/api/flags/{key}/',
  summary: 'Get a flag',
  description: 'Returns whether a flag is enabled.',
  access: everyone,
  errors: { not_found: 'The flag does not exist.' },
  params: { key: 'The name of the flag.' },
  example: { params: { key: 'EXPERIMENTAL' } },
  response: flagSchema,
  api530: { metadata: { state: { type: 'string' }, conditions: { type: 'list' } } },
  read({ params: { key = '' }, config, caller }) {
    if (!listFlagNames(config).includes(key)) throw notFound()
    return createFlagResponse(key, config, caller)
  },
})

export const flags = [listFlags, readFlag]
