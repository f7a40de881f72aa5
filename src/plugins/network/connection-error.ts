/** Reasons of failed connections in plain words, by the code of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ABORT_ERR: 'no response',
  ETIMEDOUT: 'no response',
  EHOSTUNREACH: 'no response',
  ENETUNREACH: 'no response',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'there is no such host',
}

/** The reason why a connection to a device failed. */
export const describeConnectionError = ({ code = '', name, message }: NodeJS.ErrnoException): string =>
  name === 'AbortError' ? 'no response' : (REASONS[code] ?? (code || message || name))
