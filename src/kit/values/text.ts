/** A text as PostgreSQL can store it, whatever it holds: without U+0000, and with a sign in the place of half a surrogate pair. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

/** The most characters of a text in Markdown, which OPTIONS names. */
export const MARKDOWN_LENGTH = 50_000
