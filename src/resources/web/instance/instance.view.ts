import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import { instanceName } from '../../../settings/instance-name.ts'
import { readLogoUrl } from '../logo/read-logo.ts'

/** The name and logo of this installation, which sign-in pages show as well. */
export const readInstance = view({
  path: '/api/web/instance/',
  summary: 'Get the name and the logo of this installation',
  description: 'For the header and the sign-in page of web clients.',
  access: everyone,
  response: Type.Object({
    name: Type.String({ description: 'The name of the installation (`INVENTREE_INSTANCE`).' }),
    logo: Type.Union([Type.String({ format: 'uri-reference' }), Type.Null()], {
      description: 'The URL of its logo, which changes with it; null without one.',
    }),
  }),
  read: async (request) => ({ name: instanceName(request), logo: await readLogoUrl(queryThrough(request)) }),
})
