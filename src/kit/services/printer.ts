/** A resource that a document requests, such as a picture or a font. */
export type Resource = {
  body: Uint8Array
  /** Its media type, such as `image/png`. */
  type: string
}

/** A document to print. */
export type Printable = {
  /**
   * A whole HTML document. Its scripts do not run. `@page` rules in it take precedence over the given size and margins; headers, footers
   * and page numbers are margin boxes of these rules (`@bottom-right { content: counter(page) }`).
   */
  html: string
  /**
   * Returns the resource that the document requests from an http or https URL; relative URLs are resolved against `PRINTED_SITE`. A URL
   * without a result does not exist for the document. The document can request nothing from other schemes, nor from any other source.
   */
  resource(url: string): Promise<Resource | undefined>
  /** The account of the request: accounts take turns when there is much to print. */
  account?: number
  /** Ends the print, with its reason as the error. */
  signal?: AbortSignal
  /** The fraction of a document's time limit, from 0 to 1, that this one may use; all of it by default. */
  share?: number
  /** The typefaces to append to every font list in it, whatever its styles name. */
  typefaces?: Typefaces
  /** Called with the characters of its text for which there is no typeface. */
  missing?(characters: readonly string[]): void
}

export type Typefaces = {
  /** Their names as in `font-family`, comma-separated. Styles of the document state the locations of their files. */
  names: string
  /** Assigns characters to typefaces: by name as in `names`, and undefined for characters that no typeface has. */
  split(characters: string): Map<string | undefined, string>
}

/** The base URL of printed documents. No such host exists. */
export const PRINTED_SITE = 'https://stockroom.invalid/'

/** Lengths in millimeters. */
export type Lengths = { width: number; height: number }
/** Margins of each side in millimeters. */
export type Margins = { top: number; right: number; bottom: number; left: number }

/** A print job for a PDF. */
export type PdfJob = Omit<Printable, 'html'> & {
  /** One document, or several, whose pages are concatenated: many hundred labels take far less time in documents of a hundred each. */
  html: string | readonly string[]
  /** Default page size, for pages without one of their own. */
  page: Lengths
  /** No margins by default. */
  margins?: Margins
  /** Called with the number of documents that are finished. */
  onProgress?(documents: number): Promise<void>
}

/** An area in CSS pixels, measured from the upper left corner. */
export type Area = { x: number; y: number; width: number; height: number }

/** A line of dark text, with its font size and the positions of its letters; a picture by its URL; or a black area. */
export type RenderedItem = Area &
  ({ kind: 'text'; text: string; size: number; baseline: number } | { kind: 'picture'; source: string } | { kind: 'black' })

/** Prints HTML documents. */
export type Printer = {
  /** A user-readable reason why nothing can be printed here; undefined if printing works, or soon will. */
  unavailable(): string | undefined
  /**
   * Prints a PDF of all pages.
   * @throws Problem `unavailable` (503) when nothing can be printed or too much is waiting; `invalid` (400) when the document exceeds the
   *   limits of time, memory and size
   */
  pdf(order: PdfJob): Promise<Buffer>
  /**
   * A picture of the upper left corner of a document, with the styles of its printed form.
   * @param size size of that part
   * @param dpi dots of the picture per inch
   * @throws Problem as `pdf`
   */
  png(document: Printable & { size: Lengths; dpi: number }): Promise<Buffer>
  /**
   * The same picture, and its contents if these are only dark text, pictures and black areas on white; undefined otherwise.
   * @throws Problem as `pdf`
   */
  read(document: Printable & { size: Lengths; dpi: number }): Promise<{ png: Buffer; shown: RenderedItem[] | undefined }>
}
