const MOST = 400
let named = 0

/**
 * A name under which PostgreSQL keeps a statement's plan on each connection. Only so many are given out: clients can ask
 * for endlessly many shapes of a list, and a connection keeps every named statement until it closes.
 */
export const nameStatement = (): string | undefined => (named < MOST ? `s${++named}` : undefined)
