import type { Context, Emitter, Template } from 'liquidjs'
import type { FilterHandler } from '../filters/filter.ts'
import type { FilterEnvironment } from '../filters/index.ts'
import type { Language } from '../language.ts'

/** A computation in steps, since it may have to read something. */
export type Steps<T = unknown> = Generator<unknown, T, unknown>

/** Context of a filter or tag in addition to its arguments. */
export type Call = {
  context: Context
  /** Whether the output is escaped here. */
  isEscaping: boolean
}

/** The engine that prints a template, as its tags and filters see it. */
export type Engine = {
  readonly environment: FilterEnvironment
  /** Our filters for templates in Liquid. */
  readonly own: Readonly<Record<string, FilterHandler>>
  /** Off if the output is not HTML, and so not escaped. */
  readonly isHtml: boolean
  readonly renderer: {
    renderTemplates(templates: Template[], context: Context, emitter?: Emitter): Iterable<unknown, unknown, unknown>
  }
  /** Reads a file that a template extends or includes, in the file's own language, otherwise in that of the template. */
  file(path: string, language: Language): Promise<Template[]>
  /** Returns the output text of a value. */
  formatValue(value: unknown, isEscaping: boolean): string
}

/** Returns the engine that prints the template with this context. */
export const getEngine = (context: Context): Engine => context.liquid as unknown as Engine
