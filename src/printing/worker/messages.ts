import type { Shown } from '../../kit/services/printer.ts'
import type { LabelField } from '../../plugin-api/index.ts'
import type { Wanted } from '../context/objects.ts'
import type { World } from '../context/world.ts'
import type { TemplateKind } from '../kinds.ts'
import type { Place, TemplateFacts } from '../rendering.ts'

/**
 * What the service and a worker say to each other, as JSON in frames (`plugin-host/child/frames.ts`). Long texts, such as objects and
 * documents, stand behind the JSON of their frame as they are (`packed`): they are not quoted, and each is only read by whoever needs it.
 */
export type ToWorker = { type: 'world'; world: World } | Job | Answer

/** Fills a template in. The texts behind it are the printed objects as JSON, those of `owners`. */
export type PrintJob = {
  type: 'print'
  kind: TemplateKind
  source: string
  template: TemplateFacts
  baseUrl: string
  /** The address of the kind of what is printed. */
  objects: string
  /** The keys of the objects that stand behind, and those that are printed, in the order of the pages; or the sample object. */
  owners: readonly number[]
  items: readonly number[] | 'sample'
  /** The addresses of the kinds that the caller may view. */
  viewable: readonly string[]
  settings: Readonly<Record<string, unknown>>
  instance: string
  /** Further variables by the key of the object. */
  extra: readonly (readonly [item: number | 'sample', variables: Record<string, unknown>])[]
  marksFaults: boolean
  /** How long it may take. */
  milliseconds: number
}

/** Says what is wrong with a template, without filling it in. */
export type CheckJob = { type: 'check'; source: string }

/** Reads which texts and codes are on a label. */
export type FieldsJob = { type: 'fields'; shown: readonly Shown[]; dpi: number }

export type Job = PrintJob | CheckJob | FieldsJob

/** What a job needs to know while it runs; it goes on once that is answered. Texts behind an answer are the objects of `owners`. */
export type Question =
  | ({ type: 'ask'; what: 'objects' } & Wanted)
  | { type: 'ask'; what: 'snippet' | 'asset'; name: string }
  | { type: 'ask'; what: 'rates' }

export type Answer = { type: 'answer'; owners?: readonly number[]; text?: string; rates?: readonly (readonly [string, string])[] }

export type FromWorker =
  | Question
  /** It is done. Of a print the texts behind are, of each item, its styles, its attributes and its body. */
  | { type: 'done'; result: Results[Job['type']] }
  /** The template is to blame; `fault` is the trace of an error that nobody expected. */
  | { type: 'refused'; message: string; place?: Place; fault?: string }

/** What comes of a job, by its type. */
export type Results = {
  print: {
    /** How many styles each item has. */
    styles: readonly number[]
    isMoved: boolean
    filename?: string
    /** The addresses of files that the documents may show. */
    shown: readonly string[]
  }
  check: TemplateCheck
  fields: LabelField[] | null
}

/** What is wrong with a template, in words for people: an error, with which it cannot be read; or what it asks for and there is not. */
export type TemplateCheck = { error?: string; problems: string[] }

/** The file descriptor of the pipe between the two. */
export const channel = 3

/** The most bytes of a frame: the characters that a print may make, as UTF-8, and what belongs to them. */
export const MAX_FRAME = 128 * 1024 * 1024

/** Texts in one piece, and the length of each in bytes. */
export function packed(texts: readonly string[]): { lengths: number[]; bytes: Buffer[] } {
  const bytes = texts.map((text) => Buffer.from(text))
  return { lengths: bytes.map(({ length }) => length), bytes }
}

/** The texts again. */
export function unpacked(lengths: readonly number[], bytes: Buffer): string[] {
  let end = 0
  return lengths.map((length) => {
    const begin = end
    end += length
    return bytes.toString('utf8', begin, end)
  })
}
