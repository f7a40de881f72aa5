import { Type } from 'typebox'
import { type ActionResult, type Request, view } from '../../kit/definition/action.ts'
import { readKey } from '../../kit/definition/filter.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../kit/http/page.ts'
import { staff } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { API_VERSION, getApiVersion } from '../../version.ts'
import { CHANGES } from './versions.ts'

/** Number of versions reported to InvenTree clients. */
const REPORTED_VERSIONS = 10

const common = {
  version: Type.String({ description: 'The API version, such as `v196`.' }),
  date: Type.String({ description: 'The date of the version; empty if unknown.' }),
  gh: Type.String({ description: 'The URL of the API documentation.' }),
  latest: Type.Boolean({ description: 'Whether it is the version of the service.' }),
}

const entrySchema = Type.Object({ ...common, text: Type.String({ description: 'The changes, one per line.' }) })

const recordSchema = Type.Record(
  Type.String(),
  Type.Union([Type.Object({ ...common, text: Type.Array(Type.String()) }), Type.Null()]),
)

const describeChange = ({ version, text }: (typeof CHANGES)[number], { siteUrl, wire }: Services['config']) => ({
  version: `v${version}`,
  date: '',
  gh: `${siteUrl}/api-doc/`,
  text,
  latest: version === getApiVersion(wire),
})

/** InvenTree clients read an object with a key for each of the last versions, null where a version has no changes. */
const toObject = ({ config }: Services) =>
  Object.fromEntries(
    Array.from({ length: REPORTED_VERSIONS }, (_, index) => API_VERSION - REPORTED_VERSIONS + 1 + index).map((version) => {
      const change = CHANGES.find((entry) => entry.version === version)
      return [`v${version}`, change ? describeChange(change, config) : null]
    }),
  )

/** Clients of API 530 read a bare list. */
const toBareList = ({ config, query }: Request<Shape>) => {
  const first = readKey(query.start_version ?? '')
  const limit = readKey(query.versions ?? '')
  return CHANGES.filter(({ version }) => first === undefined || version >= first)
    .slice(0, first === undefined ? undefined : limit)
    .toReversed()
    .slice(0, limit)
    .map((change) => describeChange(change, config))
}

const toList = (request: Request<Shape>) =>
  buildPage(
    CHANGES.toReversed().map((change) =>
      JSON.stringify({ ...describeChange(change, request.config), text: change.text.join('\n') }),
    ),
    request,
  )

/** @returns the views of both URLs: InvenTree clients omit the trailing slash */
export function createVersionTextViews({ config }: Pick<Services, 'config'>) {
  const isByNumber = config.wire.versionTextByNumber
  return ['/api/version-text', '/api/version-text/'].map((path) =>
    view({
      path,
      summary: 'List the changes of API versions',
      description: 'The changes for clients in each API version, newest first. The path may end with a slash or not.',
      access: staff,
      query: config.wire.listsVersions
        ? { start_version: 'Changes from this version on.', versions: 'The maximum number of versions.' }
        : isByNumber
          ? {}
          : pageQuery,
      response: isByNumber ? recordSchema : envelopeSchema(entrySchema),
      api530: {
        response: Type.Array(Type.Object({ ...common, text: Type.Array(Type.String()) })),
        metadata: {
          version: { read_only: false },
          date: { type: 'date', read_only: false },
          gh: { read_only: false },
          text: { type: 'list', read_only: false },
          latest: { read_only: false },
        },
      },
      read: (request): ActionResult =>
        request.config.wire.listsVersions ? toBareList(request) : isByNumber ? toObject(request) : toList(request),
    }),
  )
}
