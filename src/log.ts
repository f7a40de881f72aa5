import { isatty, WriteStream } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

export type LogOptions = Pick<Config, 'logLevel' | 'logFormat'> & {
  /** Where lines go: 1, the standard output, or 2, that for errors. */
  to?: 1 | 2
}

/**
 * The log: readable lines on a terminal, JSON lines elsewhere, by LOG_FORMAT. An error is told by its name, message, code and stack;
 * what else hangs on it (a database client with its connection, a request) stays out of the log.
 */
export function createLog({ logLevel, logFormat, to = 1 }: LogOptions): Logger {
  const isReadable = logFormat === undefined ? isatty(to) : logFormat === 'text'
  const destination = isReadable ? readable(to) : pino.destination(to)
  return pino({ level: logLevel, serializers: { err: describeError } }, destination)
}

/** The path of a request as the log may know it: without the secret that the link of a mail has in it, and without a query. */
export const loggedPath = (url: string): string =>
  (url.split('?', 1)[0] as string).replace(/(\/(?:account-)?confirm-email\/)[^/]+/, '$1...')

/** What stands in the text of a line already, or tells a person at a terminal nothing. */
const PASSED_OVER = ['pid', 'hostname', 'request', 'method', 'path', 'status', 'milliseconds', 'account', 'migrations']

const readable = (to: 1 | 2): DestinationStream =>
  pretty({
    destination: to,
    sync: true,
    colorize: hasColours(to),
    translateTime: 'SYS:HH:MM:ss',
    ignore: PASSED_OVER.join(','),
    singleLine: true,
    messageFormat: (entry) => lineOf(entry),
  })

/** The text of a line: of a request what was asked and answered, else the message. */
function lineOf({ msg, request, method, path, status, milliseconds }: Record<string, unknown>): string {
  if (path !== undefined) return `${method} ${path} ${status} in ${milliseconds} ms`
  return request === undefined ? String(msg) : `${msg} (request ${request})`
}

/** Whether lines are coloured: on a terminal, unless NO_COLOR is set; and wherever FORCE_COLOR asks for it. */
const hasColours = (to: 1 | 2): boolean =>
  (isatty(to) || process.env.FORCE_COLOR !== undefined) && WriteStream.prototype.getColorDepth(process.env) > 1

function describeError(error: Error & { code?: string; constraint?: string }) {
  return {
    type: error.name,
    message: printable(error.message),
    code: error.code,
    constraint: error.constraint,
    stack: printable(error.stack),
  }
}

/** A text that cannot steer the terminal it is shown on: the message of an error may hold what a client sent. */
const printable = (text: string | undefined): string | undefined => text?.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
