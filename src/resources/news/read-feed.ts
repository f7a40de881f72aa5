import { XMLParser } from 'fast-xml-parser'
import { isUrl } from '../../kit/definition/input.ts'
import { containsHtml } from '../../kit/values/html.ts'
import { isObject } from '../../kit/values/json.ts'
import { MAX_TEXT_LENGTH } from './news-entry.table.ts'

/** A feed entry as stored: texts without HTML. `published` is an ISO 8601 timestamp. */
export type FeedEntry = { feed_id: string; title: string; link: string; published: string; author: string; summary: string }

/** Maximum entries read from a feed. */
const MAX_ENTRIES = 100

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  removeNSPrefix: true,
  parseTagValue: false,
  htmlEntities: true,
})

/**
 * Reads an RSS 2.0 or Atom feed, which is not trusted. Entries without title, link or timestamp are skipped.
 * @throws Error when it is not a feed
 */
export function readFeed(text: string): FeedEntry[] {
  // entities that a feed defines may expand without limit, and feeds do not need them
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('feeds with a document type are not supported')
  const document: unknown = parser.parse(text)
  const { rss, feed } = isObject(document) ? document : {}
  const channel = isObject(rss) ? rss.channel : undefined
  if (isObject(channel)) return readEntries(channel.item, readRssEntry)
  if (isObject(feed)) return readEntries(feed.entry, readAtomEntry)
  throw new Error('it is neither RSS nor Atom')
}

type Node = Record<string, unknown>
type RawEntry = { id: unknown; title: unknown; link: unknown; published: unknown; author: unknown; summary: unknown }

const readEntries = (nodes: unknown, readEntry: (node: Node) => RawEntry): FeedEntry[] =>
  toList(nodes)
    .filter(isObject)
    .slice(0, MAX_ENTRIES)
    .flatMap((node) => toFeedEntry(readEntry(node)) ?? [])

const readRssEntry = ({ guid, title, link, pubDate, creator, author, description }: Node): RawEntry => ({
  id: guid ?? link,
  title,
  link,
  published: pubDate,
  author: creator ?? author,
  summary: description,
})

const readAtomEntry = ({ id, title, link, published, updated, author, summary, content }: Node): RawEntry => {
  const [first] = toList(author)
  const links = toList(link).filter(isObject)
  return {
    id,
    title,
    link: (links.find((one) => (one['@rel'] ?? 'alternate') === 'alternate') ?? links[0])?.['@href'],
    published: published ?? updated,
    author: isObject(first) ? first.name : undefined,
    summary: summary ?? content,
  }
}

function toFeedEntry({ id, title, link, published, author, summary }: RawEntry): FeedEntry | undefined {
  const url = rawText(link).trim()
  const publishedAt = new Date(rawText(published))
  const heading = toPlainText(title)
  const isValidUrl = /^https?:/i.test(url) && isUrl(url) && url.length <= MAX_TEXT_LENGTH
  if (!heading || !isValidUrl || Number.isNaN(publishedAt.getTime()) || publishedAt.getTime() > Date.now() + DAY_MS)
    return undefined
  return {
    feed_id: toPlainText(id) || url,
    title: heading,
    link: url,
    published: publishedAt.toISOString(),
    author: toPlainText(author),
    summary: toPlainText(summary),
  }
}

const DAY_MS = 86_400_000

const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

/** The text of an element, with or without attributes. */
function rawText(value: unknown): string {
  const [first] = toList(value)
  const text = isObject(first) ? first['#text'] : first
  return typeof text === 'string' ? text : ''
}

/** Converts the text of an element to one line without HTML and control characters. */
function toPlainText(value: unknown): string {
  const text = rawText(value)
    .slice(0, 100_000)
    .replaceAll(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1\s*>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .toWellFormed()
  const safe = containsHtml(text) ? text.replaceAll(/[<>]/g, ' ') : text
  const line = safe.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return [...line].slice(0, MAX_TEXT_LENGTH).join('').trim()
}
