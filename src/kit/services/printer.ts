/** What a document asks for, such as a picture or a font. */
export type Resource = {
  body: Uint8Array
  /** Its media type, such as `image/png`. */
  type: string
}

/** What is to be printed. */
export type Printable = {
  /**
   * A whole HTML document. Its scripts do not run. `@page` rules in it come before the size and margins that are given beside it;
   * headers, footers and page numbers are margin boxes of such rules (`@bottom-right { content: counter(page) }`).
   */
  html: string
  /**
   * Answers what the document asks for under an http or https address; relative addresses in it lie under `PRINTED_SITE`. What has no
   * answer is not there for the document. It is never asked for anything under another scheme, nor from anywhere else.
   */
  resource(url: string): Promise<Resource | undefined>
  /** Whose it is: accounts take turns when much is printed. */
  account?: number
  /** The part of the time of a document, from 0 to 1, that this one may take; all of it where it is not given. */
  share?: number
  /** The typefaces that stand at the end of every list of typefaces in it, whatever its styles name. */
  typefaces?: Typefaces
  /** Is told the characters of its text for which there is no typeface. */
  missing?(characters: readonly string[]): void
}

export type Typefaces = {
  /** Their names as in `font-family`, with commas between them. Styles of the document say where their files are. */
  names: string
  /** Which of them shows which of some characters: its name as in `names`, none for those that none of them has. */
  split(characters: string): Map<string | undefined, string>
}

/** Where a document that is printed lies, for the addresses in it. No such host exists. */
export const PRINTED_SITE = 'https://stockroom.invalid/'

/** Millimetres. */
export type Lengths = { width: number; height: number }
/** Millimetres of each side. */
export type Margins = { top: number; right: number; bottom: number; left: number }

/** What is printed as a PDF. */
export type PdfOrder = Omit<Printable, 'html'> & {
  /** One document, or several, whose pages follow each other: many hundred labels take far less time in documents of a hundred each. */
  html: string | readonly string[]
  /** How large a page is that does not say so itself. */
  page: Lengths
  /** None where they are not given. */
  margins?: Margins
  /** Is told how many of several documents are made. */
  made?(documents: number): Promise<void>
}

/** Where something is, in pixels of CSS from the upper left corner. */
export type Area = { x: number; y: number; width: number; height: number }

/** A line of dark text, with the size of its typeface and where its letters stand; a picture by its address; or an area in black. */
export type Shown = Area &
  ({ kind: 'text'; text: string; size: number; baseline: number } | { kind: 'picture'; source: string } | { kind: 'black' })

/** Makes documents out of HTML. */
export type Printer = {
  /** In words for people why nothing can be printed here; undefined where it can, or will in a moment. */
  unavailable(): string | undefined
  /**
   * A PDF of all pages.
   * @throws Problem `unavailable` (503) where nothing can be printed or too much is waiting; `invalid` (400) when the document cannot be
   * printed within the bounds of time, memory and size
   */
  pdf(order: PdfOrder): Promise<Buffer>
  /**
   * A picture of the upper left corner of a document, with the styles of its printed form.
   * @param size how much of it
   * @param dpi dots of the picture to an inch
   * @throws Problem as `pdf`
   */
  png(document: Printable & { size: Lengths; dpi: number }): Promise<Buffer>
  /**
   * The same picture, and what is on it where that is dark texts, pictures and black areas on white alone; undefined where it is more.
   * @throws Problem as `pdf`
   */
  read(document: Printable & { size: Lengths; dpi: number }): Promise<{ png: Buffer; shown: Shown[] | undefined }>
}
