/** Converts any string to one that PostgreSQL can store: without U+0000, and with a replacement character for an unpaired surrogate. */
export const toStorableText = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

/** Maximum number of characters of a Markdown text, which OPTIONS reports. */
export const MARKDOWN_LENGTH = 50_000
