import { XMLParser } from 'fast-xml-parser'
import { isUrl } from '../../kit/definition/input.ts'
import { containsHtml } from '../../kit/values/html.ts'
import { isObject } from '../../kit/values/json.ts'
import { MAX_TEXT } from './news-entry.table.ts'

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
  // entities defined by a feed may expand without limit, and no feed needs any
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new Error('feeds with a document type are not supported')
  const document: unknown = parser.parse(text)
  const { rss, feed } = isObject(document) ? document : {}
  const channel = isObject(rss) ? rss.channel : undefined
  if (isObject(channel)) return entriesOf(channel.item, ofRss)
  if (isObject(feed)) return entriesOf(feed.entry, ofAtom)
  throw new Error('it is neither RSS nor Atom')
}

type Node = Record<string, unknown>
type RawEntry = { id: unknown; title: unknown; link: unknown; published: unknown; author: unknown; summary: unknown }

const entriesOf = (nodes: unknown, readEntry: (node: Node) => RawEntry): FeedEntry[] =>
  listOf(nodes)
    .filter(isObject)
    .slice(0, MAX_ENTRIES)
    .flatMap((node) => entryOf(readEntry(node)) ?? [])

const ofRss = ({ guid, title, link, pubDate, creator, author, description }: Node): RawEntry => ({
  id: guid ?? link,
  title,
  link,
  published: pubDate,
  author: creator ?? author,
  summary: description,
})

const ofAtom = ({ id, title, link, published, updated, author, summary, content }: Node): RawEntry => {
  const [first] = listOf(author)
  const links = listOf(link).filter(isObject)
  return {
    id,
    title,
    link: (links.find((one) => (one['@rel'] ?? 'alternate') === 'alternate') ?? links[0])?.['@href'],
    published: published ?? updated,
    author: isObject(first) ? first.name : undefined,
    summary: summary ?? content,
  }
}

function entryOf({ id, title, link, published, author, summary }: RawEntry): FeedEntry | undefined {
  const address = rawText(link).trim()
  const publishedAt = new Date(rawText(published))
  const heading = toPlainText(title)
  const isAddress = /^https?:/i.test(address) && isUrl(address) && address.length <= MAX_TEXT
  if (!heading || !isAddress || Number.isNaN(publishedAt.getTime()) || publishedAt.getTime() > Date.now() + DAY) return undefined
  return {
    feed_id: toPlainText(id) || address,
    title: heading,
    link: address,
    published: publishedAt.toISOString(),
    author: toPlainText(author),
    summary: toPlainText(summary),
  }
}

const DAY = 86_400_000

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value])

/** The text of an element, with or without attributes. */
function rawText(value: unknown): string {
  const [first] = listOf(value)
  const text = isObject(first) ? first['#text'] : first
  return typeof text === 'string' ? text : ''
}

/** Converts a text to one line without HTML and control characters. */
function toPlainText(value: unknown): string {
  const text = rawText(value)
    .slice(0, 100_000)
    .replaceAll(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1\s*>/gi, ' ')
    .replaceAll(/<[^<>]*>/g, ' ')
    .toWellFormed()
  const safe = containsHtml(text) ? text.replaceAll(/[<>]/g, ' ') : text
  const line = safe.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return [...line].slice(0, MAX_TEXT).join('').trim()
}
