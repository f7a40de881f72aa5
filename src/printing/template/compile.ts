import { type IncludeTag, type Liquid, LiquidError, Tag, type TagToken, type Template, type TopLevelToken } from 'liquidjs'
import { escapeExpression } from '../../kit/values/strftime.ts'
import type { SourcePosition } from '../rendering.ts'
import { checkSize } from './bounds.ts'
import { detectLanguage } from './django/detect-language.ts'
import { DjangoParser } from './django/parser.ts'
import { TemplateEngine } from './engine.ts'
import { emptyEnvironment } from './filters/index.ts'
import type { Language } from './language.ts'

/** A problem such as a missing tag or filter: the template can be stored, but not printed. */
export type TemplateProblem = SourcePosition & { message: string }

/** A file that a template extends or includes by its name. */
export type ReferencedFile = SourcePosition & { path: string }

/** Result of compiling a template: a syntax error, for which it is rejected; or its problems, if any, and the files that it names. */
export type CompileResult =
  | { error: TemplateProblem; language?: undefined; problems?: undefined; files?: undefined }
  | { error?: undefined; language: Language; problems: TemplateProblem[]; files: ReferencedFile[] }

/** A parsed template, with its renderable nodes unless it cannot be parsed at all. */
export type ParsedTemplate =
  | { error: TemplateProblem; templates?: undefined; problems?: undefined; files?: undefined }
  | (Exclude<CompileResult, { error: TemplateProblem }> & { templates: Template[] })

/** Checks a template without printing it. */
export function compileTemplate(source: string): CompileResult {
  const { templates, ...compiled } = parseTemplate(new TemplateEngine(emptyEnvironment), source)
  return compiled as CompileResult
}

/** Parses a template in its language. Missing tags and filters are reported, and parsed as empty. */
export function parseTemplate(engine: TemplateEngine, source: string): ParsedTemplate {
  try {
    checkSize(source)
    const language = detectLanguage(source)
    const { templates, problems, files } = language === 'django' ? parseDjango(engine, source) : parseLiquid(engine, source)
    return { language, templates, problems: problems.toSorted(comparePositions), files: files.toSorted(comparePositions) }
  } catch (error) {
    return { error: toProblem(error as Error) }
  }
}

type ParseResult = { templates: Template[]; problems: TemplateProblem[]; files: ReferencedFile[] }

function parseDjango(engine: TemplateEngine, source: string): ParseResult {
  const problems: TemplateProblem[] = []
  const files: ReferencedFile[] = []
  const parser = new DjangoParser(engine, source, {
    problem(message, position) {
      if (problems.length < MAX_PROBLEMS) problems.push({ message, ...findPosition(source, position) })
    },
    file(path, position) {
      if (files.length < MAX_PROBLEMS) files.push({ path, ...findPosition(source, position) })
    },
  })
  return { templates: parser.parseRest(), problems, files }
}

function parseLiquid(engine: TemplateEngine, source: string): ParseResult {
  const { tags, filters } = engine
  const tables = engine as { tags: typeof tags; filters: typeof filters }
  tables.tags = { ...tags }
  const files = recordFiles(engine, source)
  const problemByName = recordMissing(engine, source)
  try {
    const templates = engine.parse(source)
    const comment = source.indexOf('{#')
    if (comment !== -1 && source.indexOf('#}', comment) !== -1)
      problemByName.set('comment', {
        message: 'Write comments as {% comment %} … {% endcomment %}.',
        ...findPosition(source, comment),
      })
    return { templates, problems: [...problemByName.values()], files }
  } finally {
    // files that are read during printing are not checked in this way
    Object.assign(tables, { tags, filters })
  }
}

/** Sorts by position in a template. */
export const comparePositions = (one: SourcePosition, other: SourcePosition): number =>
  one.line - other.line || one.column - other.column

/** Messages of LiquidJS in words for people who write templates. */
const PLAIN_MESSAGES: readonly (readonly [RegExp, string])[] = [
  [/^Maximum call stack size.*/, 'This is nested too deeply.'],
  [/^expected "\|" before filter$/, '"}}" or "|" is missing: a value ends with "}}", and "|" precedes each filter.'],
  [/^expected filter name$/, 'The name of a filter is missing after "|".'],
  [/^tag "(.+)" not found$/, 'The tag "$1" does not exist here.'],
  [/^tag "?(\{%-?\s*(\w+).*?)"? not closed$/, '$1 is not closed: {% end$2 %} is missing.'],
  [/^output "?(.+?)"? not closed$/, '$1 is not closed: "}}" is missing.'],
]

function toPlainMessage(message: string): string {
  const [pattern, text] = PLAIN_MESSAGES.find(([known]) => known.test(message)) ?? []
  return pattern && text ? message.replace(pattern, text) : message
}

/** Returns the message of a LiquidJS error, without the positions that it appends. */
export function toProblem(error: Error): TemplateProblem {
  const fullMessage = error.message.replace(/, (?:file:.*, )?line:\d+, col:\d+$/, '')
  const message = toPlainMessage(fullMessage)
  if (!LiquidError.is(error) || !error.token) return { message, line: 1, column: 1 }
  const [line = 1, column = 1] = error.token.getPosition()
  return { message, line, column }
}

export function findPosition(source: string, position: number): SourcePosition {
  const before = source.slice(0, position).split('\n')
  return { line: before.length, column: (before.at(-1) as string).length + 1 }
}

type TagClass = Liquid['tags'][string]

/** Tags that are only valid inside others, and an error elsewhere. */
const INNER_TAGS = new Set(['else', 'elsif', 'when'])

/** Maximum problems reported. */
const MAX_PROBLEMS = 50

/** Tags that name a file. */
const FILE_TAGS = ['extends', 'layout', 'include', 'render']

/** Has the engine record the named files; not those whose names are only known at print time. */
function recordFiles({ tags }: Liquid, source: string): ReferencedFile[] {
  const files: ReferencedFile[] = []
  for (const name of FILE_TAGS) {
    const OriginalTag = tags[name] as typeof IncludeTag
    tags[name] = class extends OriginalTag {
      constructor(...args: ConstructorParameters<typeof IncludeTag>) {
        super(...args)
        const { file } = this as unknown as { file: unknown }
        if (typeof file === 'string' && files.length < MAX_PROBLEMS)
          files.push({ path: file, ...findPosition(source, this.token.begin) })
      }
    }
  }
  return files
}

/** Placeholder for a missing filter. */
const MISSING_FILTER = (): undefined => undefined

/** Has the engine treat missing tags and filters as empty, and records each of them once. */
function recordMissing(engine: Liquid, source: string): Map<string, TemplateProblem> {
  const problemByName = new Map<string, TemplateProblem>()
  const missingTags = new Set<string>()
  class MissingTag extends Tag {
    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid)
      const { name, begin } = token
      if (missingTags.has(name) || problemByName.size === MAX_PROBLEMS) return
      missingTags.add(name)
      if (!closesMissing(name))
        problemByName.set(`tag ${name}`, { message: `The tag "${name}" does not exist.`, ...findPosition(source, begin) })
    }
    render(): void {}
  }
  const closesMissing = (name: string) => name.startsWith('end') && missingTags.has(name.slice('end'.length))
  const isMisplaced = (name: string) =>
    INNER_TAGS.has(name) ||
    (name.startsWith('end') && (name.length === 3 || Object.hasOwn(engine.tags, name.slice('end'.length))))
  const { tags, filters } = engine
  const tables = engine as { tags: typeof tags; filters: typeof filters }
  tables.tags = new Proxy(tags, {
    get: (entries, name: string): TagClass | undefined =>
      entries[name] ?? (isMisplaced(name) ? undefined : (MissingTag as unknown as TagClass)),
  })
  tables.filters = new Proxy(filters, {
    get(entries, name: string) {
      const entry = entries[name]
      if (!entry && !problemByName.has(`filter ${name}`) && problemByName.size < MAX_PROBLEMS) {
        const position = source.search(new RegExp(`\\|\\s*${escapeExpression(name)}\\b`))
        problemByName.set(`filter ${name}`, {
          message: `The filter "${name}" does not exist.`,
          ...findPosition(source, Math.max(position, 0)),
        })
      }
      return entry ?? MISSING_FILTER
    },
  })
  return problemByName
}
