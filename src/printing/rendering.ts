import type { Reader } from '../kit/reading/detail.ts'
import type { ErrorMessage } from '../kit/values/message.ts'
import type { TemplateKind } from './kinds.ts'
import type { PageSize } from './page-sizes.ts'

/** What a template says of itself beside its text; sizes in millimetres. */
export type TemplateFacts = {
  name: string
  description?: string | null
  revision?: number
  /** Labels. */
  width?: number
  height?: number
  /** Reports. */
  page_size?: PageSize
  landscape?: boolean
  /** Reports on tests: whether they tell of what is installed in the item too. */
  include_installed?: boolean
  /** A template for the name under which the file is downloaded. */
  filename_pattern?: string
}

/** A file: what it is, by its content, and its bytes. */
export type FileBytes = { type: string; bytes: Buffer }

/** What templates may name beside their objects. Undefined stands for what is not there. */
export type Library = {
  /** The text of a snippet, by its bare file name. */
  snippet(name: string): Promise<string | undefined>
  /** The path below the media folder of an asset, by its bare file name. */
  asset(name: string): Promise<string | undefined>
  /** A file of the media folder, by its path there. Only what this print may show is asked for. */
  file(path: string): Promise<FileBytes | undefined>
}

/** What is to be printed. */
export type Print = {
  kind: TemplateKind
  source: string
  template: TemplateFacts
  /** Keys in the order of the pages, one repeated where it is wanted more than once; or the sample object of the kind. */
  items: readonly number[] | 'sample'
  /** Whose eyes it is printed with, and the handle that reads. */
  reader: Reader
  /** The address of the service, without a slash at its end. */
  baseUrl: string
  library: Library
  /** Further variables for an item, such as plugins add. They hide none of the kind's own. */
  extra?: (item: number | 'sample') => Record<string, unknown>
  /** Whether an item that cannot be filled in is marked in red while others can, in place of printing none. */
  marksFaults?: boolean
  /** How long its templates may take; by default half a minute. */
  milliseconds?: number
}

/** What whoever prints should know of what was printed. */
export type Warning = Pick<ErrorMessage, 'code' | 'parameters' | 'message'>

/** What was printed, as HTML. */
export type Rendered = {
  /** How many items there are. */
  count: number
  /** The document of one item alone; 0 is the first. */
  document(at: number): string
  /** All of it, each item on a page of its own: a document for items that have the same styles, and for no more labels than print fast. */
  documents(): string[]
  /** The page that the template asks for, in millimetres. The document's style says so too (`@page`), with its margins. */
  page: { width: number; height: number }
  /** What the template's `filename_pattern` gives, without an ending that is not asked for; undefined without one. */
  filename: string | undefined
  /** The part of the time of a print that so many of them may take to be printed, from 0 to 1. */
  share(items: number): number
  /** A file that the document names, below `PRINTED_SITE`; undefined for all else, which must not be loaded. */
  resource(url: string): Promise<FileBytes | undefined>
}

/** Where something is in a template; lines and columns begin with 1. */
export type Place = { line: number; column: number }

/** Why a template cannot be printed, in words for people. */
export class TemplateError extends Error {
  /** Where in the template, if it is known. */
  readonly place: Place | undefined

  constructor(message: string, place?: Place) {
    super(place ? `${message} (line ${place.line}, column ${place.column})` : message)
    this.place = place
  }

  /** One whose message names the place already. */
  static told(message: string, place?: Place): TemplateError {
    return Object.assign(new TemplateError(message), { place })
  }
}
