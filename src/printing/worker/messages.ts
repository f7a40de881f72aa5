import type { RenderedItem } from '../../kit/services/printer.ts'
import type { LabelField } from '../../plugin-api/index.ts'
import type { ObjectQuery } from '../context/objects.ts'
import type { TemplateSchema } from '../context/render-context.ts'
import type { TemplateKind } from '../kinds.ts'
import type { SourcePosition, TemplateMetadata } from '../rendering.ts'

/**
 * Messages between the service and a worker, as JSON in frames (`plugin-host/child/frames.ts`). Long texts, such as objects and documents,
 * follow the JSON of their frame unchanged (`packTexts`): they are not escaped, and are decoded only where they are used.
 */
export type ToWorker = { type: 'schema'; schema: TemplateSchema } | Job | DataResponse

/** Renders a template. The texts that follow it are the printed objects as JSON, those of `owners`. */
export type PrintJob = {
  type: 'print'
  kind: TemplateKind
  source: string
  template: TemplateMetadata
  baseUrl: string
  /** Time of printing, in ISO format: the same on all pages. */
  time: string
  /** URL of the printed objects' resource. */
  objects: string
  /** Keys of the objects that follow, and those to print, in page order; or the sample object. */
  owners: readonly number[]
  items: readonly number[] | 'sample'
  /** URLs of the resources that the caller can view. */
  viewable: readonly string[]
  settings: Readonly<Record<string, unknown>>
  instance: string
  /** Further variables by the key of the object. */
  extra: readonly (readonly [item: number | 'sample', variables: Record<string, unknown>])[]
  marksFaults: boolean
  /** Time limit. */
  milliseconds: number
}

/** Checks a template without rendering it. */
export type CheckJob = { type: 'check'; source: string }

/** Reads the texts and codes on a label. */
export type FieldsJob = { type: 'fields'; shown: readonly RenderedItem[]; dpi: number }

export type Job = PrintJob | CheckJob | FieldsJob

/** A data request of a running job, which waits for the response. The texts that follow a response are the objects of `owners`. */
export type DataRequest =
  | ({ type: 'request'; what: 'objects' } & ObjectQuery)
  | { type: 'request'; what: 'snippet' | 'asset'; name: string }
  | { type: 'request'; what: 'rates' | 'logo' }

export type DataResponse = {
  type: 'response'
  owners?: readonly number[]
  text?: string
  rates?: readonly (readonly [string, string])[]
}

export type FromWorker =
  | DataRequest
  /** The job is done. For a print the texts that follow are the styles, attributes and body of each item. */
  | { type: 'done'; result: Results[Job['type']] }
  /** The template failed; `fault` is the stack trace of an unexpected error. */
  | { type: 'rejected'; message: string; position?: SourcePosition; fault?: string }

/** The result of a job, by its type. */
export type Results = {
  print: {
    /** Number of styles of each item. */
    styles: readonly number[]
    isMoved: boolean
    filename?: string
    /** The name for each item, if the template says that each is a file of its own. */
    filenames?: readonly string[]
    /** URLs of files that the documents may show. */
    shown: readonly string[]
  }
  check: TemplateCheck
  fields: LabelField[] | null
}

/** Human-readable errors of a template: a syntax error, or the missing things that it uses. */
export type TemplateCheck = { error?: string; problems: string[] }

/** File descriptor of the pipe between service and worker. */
export const CHANNEL_FD = 3

/** Maximum bytes of a frame: the characters that a print may produce, as UTF-8, and their metadata. */
export const MAX_FRAME_BYTES = 128 * 1024 * 1024

/** Encodes texts, with the length of each in bytes. */
export function packTexts(texts: readonly string[]): { lengths: number[]; bytes: Buffer[] } {
  const bytes = texts.map((text) => Buffer.from(text))
  return { lengths: bytes.map(({ length }) => length), bytes }
}

/** Decodes texts that `packTexts` encoded. */
export function unpackTexts(lengths: readonly number[], bytes: Buffer): string[] {
  let end = 0
  return lengths.map((length) => {
    const begin = end
    end += length
    return bytes.toString('utf8', begin, end)
  })
}
