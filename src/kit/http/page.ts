import { Json, type Request } from '../definition/action.ts'
import type { Shape } from '../definition/input.ts'
import { readWindow } from '../reading/list.ts'
import { buildPageLinks } from './http.ts'

type PageRequest = Pick<Request<Shape>, 'query' | 'config' | 'url'>

/** Query parameters of a list that does not belong to a resource, for the OpenAPI document. */
export const pageQuery = {
  limit: 'The maximum number of results on the page.',
  offset: 'The number of results before the page.',
}

/** Builds a page of a list whose entries are all in memory, as JSON strings. */
export function buildPage(jsonEntries: readonly string[], request: PageRequest): Json {
  const { limit, offset } = getWindow(request)
  return buildPageResponse(
    jsonEntries.slice(offset, limit === undefined ? undefined : offset + limit),
    jsonEntries.length,
    request,
  )
}

/** The requested window of a list; without a limit all rows, as existing clients expect. */
export const getWindow = ({ query, config }: PageRequest) => readWindow(query, config.maxPageSize, config.wire.bareLists)

/**
 * Builds the response for a page that was read already.
 * @param jsonEntries its entries as JSON
 * @param count number of entries in the whole list
 */
export function buildPageResponse(jsonEntries: readonly string[], count: number, request: PageRequest): Json {
  const { limit, offset } = getWindow(request)
  const results = `[${jsonEntries.join(',')}]`
  if (limit === undefined) return new Json(results)
  const { next, previous } = buildPageLinks(request.url, request.query, limit, offset, count)
  return new Json(`{"count":${count},"next":${JSON.stringify(next)},"previous":${JSON.stringify(previous)},"results":${results}}`)
}
