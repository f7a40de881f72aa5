import type { Context, Emitter, Template } from 'liquidjs'
import type { FilterHandler } from '../filters/filter.ts'
import type { Surroundings } from '../filters/index.ts'
import type { Language } from '../language.ts'

/** What is worked out step by step, since something may have to be read for it. */
export type Steps<T = unknown> = Generator<unknown, T, unknown>

/** What a filter or tag is told beside its arguments. */
export type Call = {
  context: Context
  /** Whether what is put out here is escaped. */
  isEscaping: boolean
}

/** What prints a template, as its tags and filters know it. */
export type Engine = {
  readonly surroundings: Surroundings
  /** The filters that templates in Liquid have of us. */
  readonly own: Readonly<Record<string, FilterHandler>>
  /** Off where what comes out is no HTML, and not escaped. */
  readonly isHtml: boolean
  readonly renderer: {
    renderTemplates(templates: Template[], context: Context, emitter?: Emitter): Iterable<unknown, unknown, unknown>
  }
  /** A file that a template extends or includes, in the language that it is in itself, or else that of the template. */
  file(path: string, language: Language): Promise<Template[]>
  /** What is put out of a value. */
  written(value: unknown, isEscaping: boolean): string
}

/** What prints the template that has this context. */
export const engineOf = (context: Context): Engine => context.liquid as unknown as Engine
