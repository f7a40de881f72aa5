import { type IncludeTag, type Liquid, LiquidError, Tag, type TagToken, type Template, type TopLevelToken } from 'liquidjs'
import { escapeExpression } from '../../kit/values/strftime.ts'
import type { SourcePosition } from '../rendering.ts'
import { checkSize } from './bounds.ts'
import { languageOf } from './django/language-of.ts'
import { DjangoParser } from './django/parser.ts'
import { TemplateEngine } from './engine.ts'
import { emptyEnvironment } from './filters/index.ts'
import type { Language } from './language.ts'

/** Something missing that a template uses: the template is stored as it is, but not printed. */
export type TemplateProblem = SourcePosition & { message: string }

/** A file that a template extends or includes by its name. */
export type ReferencedFile = SourcePosition & { path: string }

/** Result of compiling a template: a syntax error, for which it is rejected; or its problems, if any, and the files that it names. */
export type Compiled =
  | { error: TemplateProblem; language?: undefined; problems?: undefined; files?: undefined }
  | { error?: undefined; language: Language; problems: TemplateProblem[]; files: ReferencedFile[] }

/** A parsed template, with its renderable nodes unless it cannot be parsed at all. */
export type Read =
  | { error: TemplateProblem; templates?: undefined; problems?: undefined; files?: undefined }
  | (Exclude<Compiled, { error: TemplateProblem }> & { templates: Template[] })

/** Checks a template without printing it. */
export function compileTemplate(source: string): Compiled {
  const { templates, ...compiled } = readTemplate(new TemplateEngine(emptyEnvironment), source)
  return compiled as Compiled
}

/** Parses a template in its language. Missing tags and filters are reported, and parsed as empty. */
export function readTemplate(engine: TemplateEngine, source: string): Read {
  try {
    checkSize(source)
    const language = languageOf(source)
    const { templates, problems, files } = language === 'django' ? readDjango(engine, source) : readLiquid(engine, source)
    return { language, templates, problems: problems.toSorted(comparePositions), files: files.toSorted(comparePositions) }
  } catch (error) {
    return { error: toProblem(error as Error) }
  }
}

type Parts = { templates: Template[]; problems: TemplateProblem[]; files: ReferencedFile[] }

function readDjango(engine: TemplateEngine, source: string): Parts {
  const problems: TemplateProblem[] = []
  const files: ReferencedFile[] = []
  const parser = new DjangoParser(engine, source, {
    problem(message, at) {
      if (problems.length < MAX_PROBLEMS) problems.push({ message, ...findPosition(source, at) })
    },
    file(path, at) {
      if (files.length < MAX_PROBLEMS) files.push({ path, ...findPosition(source, at) })
    },
  })
  return { templates: parser.rest(), problems, files }
}

function readLiquid(engine: TemplateEngine, source: string): Parts {
  const { tags, filters } = engine
  const tables = engine as { tags: typeof tags; filters: typeof filters }
  tables.tags = { ...tags }
  const files = noteFiles(engine, source)
  const noted = noteMissing(engine, source)
  try {
    const templates = engine.parse(source)
    const comment = source.indexOf('{#')
    if (comment !== -1 && source.indexOf('#}', comment) !== -1)
      noted.set('comment', { message: 'Write comments as {% comment %} … {% endcomment %}.', ...findPosition(source, comment) })
    return { templates, problems: [...noted.values()], files }
  } finally {
    // files that are read during printing are not checked in this way
    Object.assign(tables, { tags, filters })
  }
}

/** Sorts by position in a template. */
export const comparePositions = (one: SourcePosition, other: SourcePosition): number =>
  one.line - other.line || one.column - other.column

/** Returns the message of a LiquidJS error, without the positions that it appends. */
export function toProblem(error: Error): TemplateProblem {
  const written = error.message.replace(/, (?:file:.*, )?line:\d+, col:\d+$/, '')
  const message = /^Maximum call stack size/.test(written) ? 'This is nested too deeply.' : written
  if (!LiquidError.is(error) || !error.token) return { message, line: 1, column: 1 }
  const [line = 1, column = 1] = error.token.getPosition()
  return { message, line, column }
}

export function findPosition(source: string, at: number): SourcePosition {
  const before = source.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1) as string).length + 1 }
}

type TagClass = Liquid['tags'][string]

/** Tags that are only valid inside others, and an error elsewhere. */
const INNER = new Set(['else', 'elsif', 'when'])

/** Maximum problems reported. */
const MAX_PROBLEMS = 50

/** Tags that name a file. */
const NAMING = ['extends', 'layout', 'include', 'render']

/** Has the engine record the named files; not those whose names are only known at print time. */
function noteFiles({ tags }: Liquid, source: string): ReferencedFile[] {
  const files: ReferencedFile[] = []
  for (const name of NAMING) {
    const Known = tags[name] as typeof IncludeTag
    tags[name] = class extends Known {
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
function noteMissing(engine: Liquid, source: string): Map<string, TemplateProblem> {
  const noted = new Map<string, TemplateProblem>()
  const lackingTags = new Set<string>()
  class LackingTag extends Tag {
    constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
      super(token, remaining, liquid)
      const { name, begin } = token
      if (lackingTags.has(name) || noted.size === MAX_PROBLEMS) return
      lackingTags.add(name)
      if (!closesLacking(name))
        noted.set(`tag ${name}`, { message: `The tag "${name}" does not exist.`, ...findPosition(source, begin) })
    }
    render(): void {}
  }
  const closesLacking = (name: string) => name.startsWith('end') && lackingTags.has(name.slice('end'.length))
  const isMisplaced = (name: string) =>
    INNER.has(name) || (name.startsWith('end') && (name.length === 3 || Object.hasOwn(engine.tags, name.slice('end'.length))))
  const { tags, filters } = engine
  const tables = engine as { tags: typeof tags; filters: typeof filters }
  tables.tags = new Proxy(tags, {
    get: (entries, name: string): TagClass | undefined =>
      entries[name] ?? (isMisplaced(name) ? undefined : (LackingTag as unknown as TagClass)),
  })
  tables.filters = new Proxy(filters, {
    get(entries, name: string) {
      const entry = entries[name]
      if (!entry && !noted.has(`filter ${name}`) && noted.size < MAX_PROBLEMS) {
        const at = source.search(new RegExp(`\\|\\s*${escapeExpression(name)}\\b`))
        noted.set(`filter ${name}`, { message: `The filter "${name}" does not exist.`, ...findPosition(source, Math.max(at, 0)) })
      }
      return entry ?? MISSING_FILTER
    },
  })
  return noted
}
