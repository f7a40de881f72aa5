import { LRUCache } from 'lru-cache'

const MAX_NAMED_STATEMENTS = 400
let namedCount = 0

/**
 * Returns a name under which PostgreSQL caches a statement's plan on each connection. The number of names is limited: clients can request
 * endlessly many variants of a list, and a connection keeps every named statement until it closes.
 */
export const createStatementName = (): string | undefined => (namedCount < MAX_NAMED_STATEMENTS ? `s${++namedCount}` : undefined)

/** The texts of recent statements, with the names under which the repeated ones are prepared. */
const texts = new LRUCache<string, { name: string | undefined }>({ max: 1000 })

/** Returns the name of a repeated statement, which is prepared: planning takes longer than most statements run. */
export function getStatementName(text: string): string | undefined {
  const existing = texts.get(text)
  if (!existing) texts.set(text, { name: undefined })
  else existing.name ??= createStatementName()
  return existing?.name
}
