import { LRUCache } from 'lru-cache'

const MAX_STATEMENT_LENGTH = 400
let named = 0

/**
 * A name under which PostgreSQL keeps a statement's plan on each connection. Only so many are given out: clients can ask
 * for endlessly many shapes of a list, and a connection keeps every named statement until it closes.
 */
export const nameStatement = (): string | undefined => (named < MAX_STATEMENT_LENGTH ? `s${++named}` : undefined)

/** The texts of statements lately run, with the names under which those run again are kept prepared. */
const texts = new LRUCache<string, { name: string | undefined }>({ max: 1000 })

/** The name of a statement that comes again, which is prepared: planning takes longer than most of them run. */
export function nameOf(text: string): string | undefined {
  const known = texts.get(text)
  if (!known) texts.set(text, { name: undefined })
  else known.name ??= nameStatement()
  return known?.name
}
