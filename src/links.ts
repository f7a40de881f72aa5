import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import MarkdownIt from 'markdown-it'
import { createAnchorNamer } from './docs-bundle/anchors.ts'
import { ROOT } from './paths.ts'

/**
 * Checks references between files; `npm run check` runs this file. It rejects
 * - links of Markdown files to files or headings that do not exist,
 * - paths below `docs/` in any text, such as a comment, and paths of sources in Markdown files, that do not exist,
 * - numbers of decision records that docs/adr does not have,
 * - citations of documents that are not in the repository.
 */
const MARKDOWN = '{*.md,{.github,bench,client,docs,plugin-package,src}/**/*.md}'
const TEXTS = '{.ci/*,docs/*.json,migrations/*.sql,{bench,client,plugin-package,src}/**/*.{css,html,js,json,mjs,ts,tsx}}'
const EXCLUDED = ['**/node_modules/**', '**/dist/**', 'src/links.test.ts']

/** `docs/decisions.md#metadata`: a path below the root, with or without a heading. */
const DOCUMENT_PATH = /(?<![\w./-])docs\/[\w./-]*\.(?:md|json)(?:#[\w-]+)?/g
/** Its worked examples name files that the reader creates. */
const NAMES_NEW_SOURCES = 'CONTRIBUTING.md'

/** A path of a source in backticks, such as `src/links.ts` in a README. */
const SOURCE_PATH = /`((?:\.ci|bench|client|generated|migrations|plugin-package|src)\/[\w./-]+)`/g
const RECORD_NUMBER = /\bADR (?:\[)?(\d{4})/g
/** Citations by number or name of documents that the repository does not have. */
const OUTSIDE_DOCUMENT = /\bdecisions?(?: |\n\s*\* )\d+|\bCONTRACT \d|\breference(?: |\n\s*\* )description\b/gi

const markdown = new MarkdownIt({ html: true })

/** A reference to another file: its path below the root, and the anchor of a heading. */
type Reference = { text: string; line: number; path: string; anchor?: string }

/** Returns the anchors of a Markdown text: those of its headings, as GitHub makes them, and the ids of its HTML. */
export function listAnchors(text: string): string[] {
  const getAnchorName = createAnchorNamer()
  const ids = Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)
  const headings = markdown.parse(text, {}).flatMap((token, index, tokens) => {
    if (token.type !== 'heading_open') return []
    const children = tokens[index + 1]?.children ?? []
    const title = children.map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : '')).join('')
    return [getAnchorName(title)]
  })
  return [...headings, ...ids]
}

/** Returns the links and images of a Markdown file to other files. */
function listLinks(file: string, text: string): Reference[] {
  return markdown.parse(text, {}).flatMap((block) =>
    [block, ...(block.children ?? [])].flatMap((token) => {
      const html = token.type.startsWith('html_') ? token.content : ''
      const targets = [
        token.attrGet('href'),
        token.attrGet('src'),
        ...Array.from(html.matchAll(/\b(?:href|src)="([^"]+)"/g), ([, target]) => target),
      ].flatMap((target) => (target ? [String(target)] : []))
      return targets
        .filter((target) => !/^[a-z]+:|^\//.test(target))
        .map((target) => {
          const [path = '', anchor] = decodeURI(target).split('#')
          const line = (block.map?.[0] ?? 0) + 1
          return { text: target, line, path: path ? normalize(join(dirname(file), path)) : file, anchor }
        })
    }),
  )
}

/** Returns what a text refers to by paths below the root. */
const listPaths = (text: string, pattern: RegExp): Reference[] =>
  Array.from(text.matchAll(pattern), (match) => {
    const target = match[1] ?? match[0]
    const [path = '', anchor] = target.split('#')
    return { text: target, line: countLines(text, match.index), path, anchor }
  })

const countLines = (text: string, end: number): number => text.slice(0, end).split('\n').length

/**
 * Returns the problems of the references of one file.
 * @param file its path below the root
 * @param readAnchors the anchors of a file or folder, which only Markdown files have; undefined if it does not exist
 * @param records names of the files of decision records
 */
export function findBrokenReferences(
  file: string,
  text: string,
  readAnchors: (path: string) => readonly string[] | undefined,
  records: readonly string[],
): string[] {
  const isMarkdown = file.endsWith('.md')
  const references = [
    ...(isMarkdown ? listLinks(file, text) : []),
    ...(isMarkdown && file !== NAMES_NEW_SOURCES ? listPaths(text, SOURCE_PATH) : []),
    ...listPaths(text, DOCUMENT_PATH),
  ]
  const broken = references.flatMap(({ text: reference, line, path, anchor }) => {
    const anchors = readAnchors(path)
    if (anchors === undefined) return [`${file}:${line}: ${reference} does not exist`]
    if (anchor === undefined || anchors.includes(anchor)) return []
    return [`${file}:${line}: ${reference}: ${path} has no heading #${anchor}`]
  })
  const missingRecords = Array.from(text.matchAll(RECORD_NUMBER)).filter(
    ([, number = '']) => !records.some((record) => record.startsWith(number)),
  )
  return [
    ...new Set(broken),
    ...missingRecords.map((match) => `${file}:${countLines(text, match.index)}: docs/adr has no record ${match[1]}`),
    ...Array.from(text.matchAll(OUTSIDE_DOCUMENT), ({ 0: citation, index }) => {
      return `${file}:${countLines(text, index)}: cites "${citation}" of a document outside of the repository`
    }),
  ]
}

/** Returns the problems of all files of the repository. */
export function findAllBrokenReferences(): string[] {
  const anchors = new Map<string, readonly string[] | undefined>()
  const readAnchors = (path: string): readonly string[] | undefined => {
    if (!anchors.has(path)) {
      const exists = existsSync(join(ROOT, path))
      const isMarkdown = exists && path.endsWith('.md')
      anchors.set(path, exists ? (isMarkdown ? listAnchors(readFileSync(join(ROOT, path), 'utf8')) : []) : undefined)
    }
    return anchors.get(path)
  }
  const records = globSync('*.md', { cwd: join(ROOT, 'docs/adr') })
  return globSync([MARKDOWN, TEXTS], { cwd: ROOT, exclude: EXCLUDED })
    .filter((file) => file !== 'src/links.ts')
    .sort()
    .flatMap((file) => findBrokenReferences(file, readFileSync(join(ROOT, file), 'utf8'), readAnchors, records))
}

if (import.meta.main) {
  const problems = findAllBrokenReferences()
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
