import { isatty, WriteStream } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

export type LogOptions = Pick<Config, 'logLevel' | 'logFormat'> & {
  /** The output stream: 1 is the standard output, 2 the standard error. */
  stream?: 1 | 2
}

/**
 * Creates the log: readable lines on a terminal, JSON lines elsewhere, by LOG_FORMAT. Of an error, it logs the name, message, code and
 * stack; other properties (a database client with its connection, a request) are left out.
 */
export function createLog({ logLevel, logFormat, stream = 1 }: LogOptions): Logger {
  const isReadable = logFormat === undefined ? isatty(stream) : logFormat === 'text'
  const destination = isReadable ? createReadableStream(stream) : pino.destination(stream)
  return pino({ level: logLevel, serializers: { err: describeError } }, destination)
}

/** The path of a request for the log: without the secret in an emailed link, and without a query. */
export const toLoggedPath = (url: string): string =>
  (url.split('?', 1)[0] as string).replace(/(\/(?:account-)?confirm-email\/)[^/]+/, '$1...')

/** Fields that the text of a line already contains, or that are useless to a person at a terminal. */
const HIDDEN_FIELDS = ['pid', 'hostname', 'request', 'method', 'path', 'status', 'milliseconds', 'account', 'migrations']

const createReadableStream = (stream: 1 | 2): DestinationStream =>
  pretty({
    destination: stream,
    sync: true,
    colorize: hasColors(stream),
    translateTime: 'SYS:HH:MM:ss',
    ignore: HIDDEN_FIELDS.join(','),
    singleLine: true,
    messageFormat: (entry) => formatLine(entry),
  })

/** The text of a line: the request and its response, otherwise the message. */
function formatLine({ msg, request, method, path, status, milliseconds }: Record<string, unknown>): string {
  if (path !== undefined) return `${method} ${path} ${status} in ${milliseconds} ms`
  return request === undefined ? String(msg) : `${msg} (request ${request})`
}

/** Whether lines are colored: on a terminal, unless NO_COLOR is set; and always if FORCE_COLOR is set. */
const hasColors = (stream: 1 | 2): boolean =>
  (isatty(stream) || process.env.FORCE_COLOR !== undefined) && WriteStream.prototype.getColorDepth(process.env) > 1

function describeError(error: Error & { code?: string; constraint?: string }) {
  return {
    type: error.name,
    message: toPrintable(error.message),
    code: error.code,
    constraint: error.constraint,
    stack: toPrintable(error.stack),
  }
}

/** Replaces characters that could control a terminal: the message of an error may hold text from a client. */
const toPrintable = (text: string | undefined): string | undefined => text?.replaceAll(/[^\P{Cc}\n\t]/gu, '\ufffd')
