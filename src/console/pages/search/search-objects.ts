import type { PlainKey } from '../../kit/language/language.ts'
import type { IconName } from '../../kit/page/icon.tsx'
import { type Page, postQuery, read, withQuery } from '../../kit/service/api.ts'
import { SEARCH_KINDS, type SearchHit, type SearchKind } from './search-kinds.ts'
import { listSettingsKinds, type SettingsKind } from './search-settings-kinds.ts'
import { matchWords, splitWords } from './search-words.ts'

/** A result of the search. */
export type Result = { id: string; title: string; detail?: string; to: string; icon: IconName; picture?: string | undefined }

/** The results of one kind. */
export type ResultGroup = {
  /** Name of the kind, as in the URL of the page of results. */
  name: string
  title: PlainKey
  results: readonly Result[]
  /** Number of all matches. */
  count: number
  /** URL of the page with all matches. */
  all: string
}

export type SearchOptions = {
  /** Maximum number of results of each kind. */
  limit: number
  /** The only kind that is searched. */
  only?: string | undefined
  signal: AbortSignal
}

const objectKinds: Record<string, SearchKind> = SEARCH_KINDS

/** URL of the page of results. @param kind the only kind that it shows */
export const getResultsUrl = (text: string, kind?: string): string => withQuery('/search/', { q: text, kind })

/**
 * Searches all objects, users and templates that the account can see. Kinds without matches are left out; those with a match in a name come
 * before those that match by other fields, such as stock by its location. @throws ApiError
 */
export async function searchObjects(text: string, options: SearchOptions): Promise<ResultGroup[]> {
  const groups = await Promise.all([searchObjectKinds(text, options), searchSettingsKinds(text, options)])
  const words = splitWords(text)
  const hasNameMatch = ({ results }: ResultGroup) => results.some((result) => matchWords(words, result.title) !== undefined)
  return groups
    .flat()
    .filter(({ results }) => results.length > 0)
    .toSorted((a, b) => Number(hasNameMatch(b)) - Number(hasNameMatch(a)))
}

async function searchObjectKinds(text: string, { limit, only, signal }: SearchOptions): Promise<ResultGroup[]> {
  const kinds = Object.entries(objectKinds).filter(([name]) => only === undefined || name === only)
  if (kinds.length === 0) return []
  const searches = Object.fromEntries(kinds.map(([name, { parameters }]) => [name, parameters]))
  const { body } = await postQuery<Record<string, Page<SearchHit> | { error: string }>>(
    '/api/search/',
    { search: text, limit, ...searches },
    signal,
  )
  return kinds.flatMap(([name, { title, icon, getTitle, getDetail, picture, page, list }]): ResultGroup[] => {
    const found = body[name]
    // the account cannot see it
    if (!found || !('results' in found)) return []
    const results = found.results.map((object) => ({
      id: `${name}-${object.pk}`,
      title: getTitle(object),
      detail: getDetail?.(object),
      to: `${page}${object.pk}/`,
      icon,
      picture: picture?.(object),
    }))
    return [
      { name, title, results, count: found.count, all: list ? withQuery(list, { search: text }) : getResultsUrl(text, name) },
    ]
  })
}

async function searchSettingsKinds(text: string, { limit, only, signal }: SearchOptions): Promise<ResultGroup[]> {
  const kinds = listSettingsKinds().filter(({ name }) => only === undefined || name === only)
  const urls = kinds.flatMap(({ urls }) => urls.map((url) => [url, withQuery(url, { search: text, limit })] as const))
  if (urls.length === 0) return []
  const optional = urls.map(([url]) => url)
  // templates of objects that the account cannot see are left out
  const pages = await read<Record<string, Page<SearchHit>>>(Object.fromEntries(urls), signal, optional)
  return kinds.map((kind) => toGroup(kind, text, limit, pages))
}

function toGroup(
  { name, title, icon, urls, getTitle, getDetail, getPage, list }: SettingsKind,
  text: string,
  limit: number,
  pages: Record<string, { body: Page<SearchHit> } | undefined>,
): ResultGroup {
  const found = urls.flatMap((url) => (pages[url] ? [{ url, page: pages[url].body }] : []))
  const results = found.flatMap(({ url, page }) =>
    page.results.map((object) => ({
      id: `${name}-${url}-${object.pk}`.replaceAll('/', '-'),
      title: getTitle(object),
      detail: getDetail(object),
      to: getPage(object, url),
      icon,
    })),
  )
  const count = found.reduce((sum, { page }) => sum + page.count, 0)
  return { name, title, results: results.slice(0, limit), count, all: withQuery(list, { search: text }) }
}
