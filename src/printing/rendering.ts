import type { Reader } from '../kit/reading/detail.ts'
import type { ErrorMessage } from '../kit/values/message.ts'
import type { TemplateKind } from './kinds.ts'
import type { PageSize } from './page-sizes.ts'

/** Settings of a template in addition to its text; sizes in millimeters. */
export type TemplateMetadata = {
  name: string
  description?: string | null
  revision?: number
  /** For labels. */
  width?: number
  height?: number
  /** For reports. */
  page_size?: PageSize
  landscape?: boolean
  /** For test reports: whether they include the items installed in the item. */
  include_installed?: boolean
  /** Whether all objects are printed in one document, as `instances`. */
  merge?: boolean
  /** Whether each object also gets a file of its own. */
  attach_to_model?: boolean
  /** A template for the name of the downloaded file. */
  filename_pattern?: string
}

/** A file: its type, detected from its content, and its bytes. */
export type FileBytes = { type: string; bytes: Buffer }

/** Files that templates may name in addition to their objects. Undefined means that there is no such file. */
export type Library = {
  /** The text of a snippet, by its bare file name. */
  snippet(name: string): Promise<string | undefined>
  /** The path below the media folder of an asset, by its bare file name. */
  asset(name: string): Promise<string | undefined>
  /** The logo of the installation, as a `data:` URI. */
  logo(): Promise<string | undefined>
  /** A file of the media folder, by its path there. Requested only for files that this print may show. */
  file(path: string): Promise<FileBytes | undefined>
}

/** A print job. */
export type Print = {
  kind: TemplateKind
  source: string
  template: TemplateMetadata
  /** Keys in page order, repeated for further copies; or the sample object of the kind. */
  items: readonly number[] | 'sample'
  /** Reads with the permissions of the user who prints. */
  reader: Reader
  /** URL of the service, without a trailing slash. */
  baseUrl: string
  library: Library
  /** Further variables for an item, such as those of plugins. They never override the variables of the kind itself. */
  extra?: (item: number | 'sample') => Record<string, unknown>
  /** Whether an item that cannot be rendered is marked in red while others can, instead of printing none. */
  marksFaults?: boolean
  /** Time limit for its templates; half a minute by default. */
  milliseconds?: number
  /** Ends it, with its reason as the error, and frees what it occupies. */
  signal?: AbortSignal
}

/** A warning about a printed document. */
export type Warning = Pick<ErrorMessage, 'code' | 'parameters' | 'message'>

/** A rendered print, as HTML. */
export type RenderedPrint = {
  /** Number of items. */
  count: number
  /** The document of one item alone; 0 is the first. */
  document(index: number): string
  /** All documents, each item on a page of its own: one document for items with the same styles, up to the number of labels that print fast. */
  documents(): string[]
  /** The page size that the template sets, in millimeters. The document's style states it too (`@page`), with its margins. */
  page: { width: number; height: number }
  /** The rendered `filename_pattern` of the template, without an unwanted extension; undefined without a pattern. */
  filename: string | undefined
  /** The same for each item, if each is a file of its own. */
  filenames?: readonly string[]
  /** The share of a print's time limit for this number of items, from 0 to 1. */
  share(items: number): number
  /** Ends printing it, with its reason as the error. */
  signal?: AbortSignal
  /** A file that the document names, below `PRINTED_SITE`; undefined for everything else, which must not be loaded. */
  resource(url: string): Promise<FileBytes | undefined>
}

/** A position in a template; lines and columns begin with 1. */
export type SourcePosition = { line: number; column: number }

/** Human-readable reason why a template cannot be printed. */
export class TemplateError extends Error {
  /** Position in the template, if known. */
  readonly position: SourcePosition | undefined

  constructor(message: string, position?: SourcePosition) {
    super(position ? `${message} (line ${position.line}, column ${position.column})` : message)
    this.position = position
  }

  /** An error whose message includes the position already. */
  static fromMessage(message: string, position?: SourcePosition): TemplateError {
    return Object.assign(new TemplateError(message), { position })
  }
}
