import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * The log: JSON lines. An error is told by its name, message, code and stack; what else hangs on it (a database client with its
 * connection, a request) stays out of the log.
 */
export const createLog = (level: string, destination?: DestinationStream): Logger =>
  pino({ level, serializers: { err: describeError } }, destination as DestinationStream)

/** The path of a request as the log may know it: without the secret that the link of a mail has in it, and without a query. */
export const loggedPath = (url: string): string =>
  (url.split('?', 1)[0] as string).replace(/(\/(?:account-)?confirm-email\/)[^/]+/, '$1...')

function describeError(error: Error & { code?: string; constraint?: string }) {
  return { type: error.name, message: error.message, code: error.code, constraint: error.constraint, stack: error.stack }
}
