import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { getApiVersion, VERSION } from '../../version.ts'

export const readVersion = view({
  path: '/api/version/',
  summary: 'Get the versions of the program and the API',
  description: 'Returns the versions of the program, of the API and of Node, and the URLs of their documentation.',
  access: staff,
  response: Type.Object({
    dev: Type.Boolean(),
    up_to_date: Type.Boolean(),
    version: Type.Record(Type.String(), Type.Any()),
    links: Type.Record(Type.String(), Type.String()),
  }),
  read: ({ config }) => ({
    dev: false,
    up_to_date: true,
    version: {
      server: VERSION,
      api: getApiVersion(config.wire),
      commit_hash: null,
      commit_date: null,
      commit_branch: null,
      node: process.version,
    },
    links: { doc: `${config.siteUrl}/api-doc/`, api: `${config.siteUrl}/api/schema/` },
  }),
})
