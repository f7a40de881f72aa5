import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../kit/http/page.ts'
import { everyone } from '../../kit/request/caller.ts'

/** The service has no icon fonts: its console draws its icons, and a client shows the icon of a location type from its own fonts. */
export const listIcons = view({
  path: '/api/icons/',
  summary: 'List icon fonts',
  description: 'The icon fonts that the service serves: always none.',
  access: everyone,
  query: pageQuery,
  response: envelopeSchema(
    Type.Object({
      name: Type.String({ description: 'The name of the font.' }),
      prefix: Type.String({ description: 'The prefix of the names of its icons.' }),
      fonts: Type.Record(Type.String(), Type.String(), { description: 'The URLs of its files, by format.' }),
      icons: Type.Record(Type.String(), Type.Unknown(), { description: 'Its icons, by name.' }),
    }),
  ),
  api530: {
    metadata: {
      name: { read_only: false },
      prefix: { read_only: false },
      fonts: { type: 'nested object', read_only: false },
      icons: { type: 'nested object', read_only: false },
    },
  },
  read: (request) => buildPage([], request),
})
