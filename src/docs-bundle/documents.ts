import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DOCS } from '../paths.ts'

/** A document that the service serves. */
export type DocumentFile = {
  /** Path below `docs/`, such as `guides/buying.md`. */
  path: string
  /** Its URL, such as `/docs/buying/`. */
  url: string
  group: Group
}

export const GROUPS = ['Guides', 'Reference', 'Interface'] as const
export type Group = (typeof GROUPS)[number]

/** The overview of the documents in the repository. The guides have its order. */
const OVERVIEW = 'README.md'

/** Documents for those who work on the code. They are not served, and links to them become text. */
const DEVELOPER_DOCUMENTS = /^(adr\/|(architecture|codemap|database|development|flaky|locks|README)\.md$)/

/**
 * The documents to serve: guides in the order of the overview, then the others by name.
 * @throws Error if two documents have the same URL
 */
export function listDocuments(): DocumentFile[] {
  const paths = globSync('**/*.md', { cwd: DOCS }).map((path) => path.replaceAll('\\', '/'))
  const documents = paths.filter((path) => !DEVELOPER_DOCUMENTS.test(path)).map(describeDocument)
  const urls = documents.map(({ url }) => url)
  const duplicate = urls.find((url, index) => urls.indexOf(url) !== index)
  if (duplicate !== undefined) throw new Error(`two documents have the URL ${duplicate}`)
  const overview = paths.includes(OVERVIEW) ? readFileSync(join(DOCS, OVERVIEW), 'utf8') : ''
  /** The group, then the place in the overview, then the name. */
  const compare = (one: DocumentFile, other: DocumentFile) =>
    GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group) ||
    getPlace(overview, one) - getPlace(overview, other) ||
    (one.url < other.url ? -1 : 1)
  return documents.sort(compare)
}

function describeDocument(path: string): DocumentFile {
  const folder = dirname(path)
  const group = folder === 'guides' ? 'Guides' : folder === 'interface' ? 'Interface' : 'Reference'
  const name = folder === '.' || folder === 'guides' ? basename(path, '.md') : path.replace(/(\/README)?\.md$/, '')
  return { path, url: `/docs/${name}/`, group }
}

/** Position of the link to a guide in the overview; its end for others. */
function getPlace(overview: string, { path, group }: DocumentFile): number {
  const index = group === 'Guides' ? overview.indexOf(`(${path})`) : -1
  return index === -1 ? overview.length : index
}
